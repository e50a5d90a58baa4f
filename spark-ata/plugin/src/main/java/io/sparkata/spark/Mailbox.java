package io.sparkata.spark;

import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Receives messages of executors on the driver by Spark's RPC; each is answered now or later.
 * Messages and answers are arrays of JDK objects, because Spark's RPC threads do not see classes of
 * a jar on {@code --jars}. Driver only.
 */
public record Mailbox(RpcEnv rpcEnv, RpcEndpointRef endpoint) implements AutoCloseable {

  /** A message that waits for its answer. */
  public interface Letter {

    Object[] message();

    /** Sends the one answer; does not wait. */
    void answer(Object... answer);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Received(Object[] message, RpcCallContext call) implements Letter {
    @Override
    public void answer(Object... answer) {
      call.reply(answer);
    }
  }

  /**
   * Opens a mailbox.
   *
   * @param name by which executors find it, with no other open
   * @param receiver called on a thread of Spark's RPC, which it must not block
   */
  public static Mailbox open(SparkContext context, String name, Consumer<Letter> receiver) {
    RpcEnv rpcEnv = context.env().rpcEnv();
    return new Mailbox(rpcEnv, rpcEnv.setupEndpoint(name, new Endpoint(rpcEnv, receiver)));
  }

  /** Messages that are not answered yet, and later ones, fail. */
  @Override
  public void close() {
    rpcEnv.stop(endpoint);
  }

  private record Endpoint(RpcEnv rpcEnv, Consumer<Letter> receiver)
      implements ThreadSafeRpcEndpoint {

    @Override
    public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext call) {
      return new AbstractPartialFunction<>() {
        @Override
        public boolean isDefinedAt(Object message) {
          return message instanceof Object[];
        }

        @Override
        public BoxedUnit apply(Object message) {
          receiver.accept(new Received((Object[]) message, call));
          return BoxedUnit.UNIT;
        }
      };
    }
  }
}
