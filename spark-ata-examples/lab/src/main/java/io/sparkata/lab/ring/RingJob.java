package io.sparkata.lab.ring;

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
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Runs a {@link RingTraining} as one barrier job, whose tasks are the members. Spark's barrier
 * serves to start them together and to exchange their addresses, once: it takes a second. Driver
 * only.
 */
public final class RingJob {
  /** Of addresses "host:port" with five digits of port: host 9 before host 10. */
  static final Comparator<String> BY_HOST =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private RingJob() {}

  /** A member's part as Spark takes it. */
  private interface Member
      extends Function1<Iterator<Integer>, Iterator<RingResult>>, Serializable {}

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
    Member member = unused -> run(rows, training);
    RDD<RingResult> results =
        context
            .parallelize(IntStream.range(0, members).boxed().toList(), members)
            .rdd()
            .barrier()
            .mapPartitions(member, /* preservesPartitioning= */ false, tag);
    return JavaRDD.fromRDD(results, tag).collect().get(0);
  }

  private static Iterator<RingResult> run(Broadcast<RingRows> rows, RingTraining training) {
    long begin = System.nanoTime();
    // getTaskInfos() has the addresses that executors connect from, not those of their workers
    String host = SparkEnv.get().blockManager().blockManagerId().host();
    try (ServerSocket server = new ServerSocket(0, /* backlog= */ 1, InetAddress.getByName(host))) {
      String own = "%s:%05d".formatted(host, server.getLocalPort());
      List<String> all =
          Arrays.stream(BarrierTaskContext.get().allGather(own)).sorted(BY_HOST).toList();
      List<InetSocketAddress> addresses = all.stream().map(RingJob::address).toList();
      try (Ring ring = new Ring(all.indexOf(own), addresses, server)) {
        RingResult result = training.run(ring, rows.value(), begin);
        return Iterator$.MODULE$.single(result).take(ring.rank() == 0 ? 1 : 0);
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
