package io.sparkata.spark;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.RpcUtils;
import scala.concurrent.Await;
import scala.concurrent.Future;
import scala.concurrent.duration.Duration;
import scala.concurrent.duration.FiniteDuration;

/** Asks a {@link Mailbox} of the driver. Executors only. */
public record DriverLine(RpcEndpointRef mailbox) {
  /** Time between two looks at whether the caller has given up. */
  private static final FiniteDuration LOOK = Duration.create(100, TimeUnit.MILLISECONDS);

  /**
   * A line to the mailbox of that name.
   *
   * @throws RuntimeException or a checked exception of Spark's, if the driver has none
   */
  public static DriverLine to(String name) {
    SparkEnv env = SparkEnv.get();
    return new DriverLine(RpcUtils.makeDriverRef(name, env.conf(), env.rpcEnv()));
  }

  /**
   * Asks and waits for the answer.
   *
   * @param seconds after which the answer fails with a TimeoutException
   * @param isGivenUp whether to return without it
   * @return the answer, or null if given up
   */
  public Object[] ask(Object[] message, long seconds, BooleanSupplier isGivenUp)
      throws InterruptedException, TimeoutException {
    RpcTimeout limit =
        new RpcTimeout(Duration.create(seconds, TimeUnit.SECONDS), "the limit of Spark ATA");
    Future<Object> answer = send(message, limit);
    while (!isGivenUp.getAsBoolean()) {
      if (isThere(answer)) {
        return (Object[]) Await.result(answer, Duration.Zero());
      }
    }
    return null;
  }

  /** Sends a message whose answer, or failure, does not matter. */
  public void tell(Object[] message) {
    send(message, RpcUtils.askRpcTimeout(SparkEnv.get().conf()));
  }

  private Future<Object> send(Object[] message, RpcTimeout limit) {
    return mailbox.ask(message, limit, ExecutorInternals.anyTag());
  }

  private static boolean isThere(Future<Object> answer) throws InterruptedException {
    try {
      Await.ready(answer, LOOK);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    }
  }
}
