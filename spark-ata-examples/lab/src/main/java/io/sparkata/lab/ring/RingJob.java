package io.sparkata.lab.ring;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Runs a {@link RingTraining} as one barrier job, whose tasks are the members. Spark's barrier
 * serves to start them together and to exchange their addresses, once: it takes a second. Driver
 * only.
 */
public final class RingJob {
  private RingJob() {}

  /**
   * Trains, and returns what the first member measured. Members are numbered by host, as {@code
   * scripts/cluster} numbers the workers.
   *
   * @param members as many as slots
   * @param rows read by the training; broadcast beforehand, so that sending them is not timed
   */
  public static RingResult run(
      JavaSparkContext context, int members, Broadcast<RingRows> rows, RingTraining training) {
    ClassTag<RingResult> tag = ClassTag$.MODULE$.apply(RingResult.class);
    RDD<RingResult> results =
        context
            .parallelize(IntStream.range(0, members).boxed().toList(), members)
            .rdd()
            .barrier()
            .mapPartitions(new Member(rows, training), /* preservesPartitioning= */ false, tag);
    return JavaRDD.fromRDD(results, tag).collect().stream()
        .findFirst()
        .orElseThrow(() -> new RunFailure("Cannot train in a ring: no member gave a result."));
  }

  /** Where a member listens, as text "host:port". */
  record Address(String host, int port) {
    static final Comparator<Address> ORDER =
        Comparator.comparing((Address one) -> one.host().length())
            .thenComparing(Address::host)
            .thenComparing(Address::port);

    static Address parse(String text) {
      int colon = text.lastIndexOf(':');
      return new Address(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
  }

  private static final class Member
      extends AbstractFunction1<Iterator<Integer>, Iterator<RingResult>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Broadcast<RingRows> rows;
    private final RingTraining training;

    Member(Broadcast<RingRows> rows, RingTraining training) {
      this.rows = rows;
      this.training = training;
    }

    @Override
    public Iterator<RingResult> apply(Iterator<Integer> nothing) {
      long begin = System.nanoTime();
      BarrierTaskContext context = BarrierTaskContext.get();
      // getTaskInfos() has the addresses that executors connect from, not those of their workers
      String host = SparkEnv.get().blockManager().blockManagerId().host();
      try (ServerSocket server =
          new ServerSocket(0, /* backlog= */ 1, InetAddress.getByName(host))) {
        Address own = new Address(host, server.getLocalPort());
        List<Address> all =
            Arrays.stream(context.allGather(own.host() + ":" + own.port()))
                .map(Address::parse)
                .sorted(Address.ORDER)
                .toList();
        List<InetSocketAddress> addresses =
            all.stream().map(one -> new InetSocketAddress(one.host(), one.port())).toList();
        try (Ring ring = Ring.join(all.indexOf(own), addresses, server)) {
          RingResult result = training.run(ring, rows.value(), begin);
          return Iterator$.MODULE$.single(result).take(ring.rank() == 0 ? 1 : 0);
        }
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }
}
