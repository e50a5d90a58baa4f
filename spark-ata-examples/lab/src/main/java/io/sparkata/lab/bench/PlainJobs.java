package io.sparkata.lab.bench;

import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Spark's own jobs that a round is compared with.
 *
 * @param tasks of each
 * @param weights that a round sends, and numbers of its sum
 */
record PlainJobs(JavaSparkContext context, int tasks, int weights) {

  /** Runs as many as the clock wants. */
  void run(OverheadSide side, RoundClock clock) {
    for (int i = 0; i < clock.allRounds(); i++) {
      clock.begin();
      if (side.equals(OverheadSide.EMPTY_JOB)) {
        slots().foreachPartition(unused -> {});
      } else {
        round();
      }
      clock.end();
    }
  }

  private void round() {
    Broadcast<double[]> sent = context.broadcast(new double[weights]);
    models(slots(), sent).treeAggregate(new double[0], PlainJobs::add, PlainJobs::add, 2);
    sent.destroy();
  }

  private JavaRDD<Integer> slots() {
    return context.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks);
  }

  private static JavaRDD<double[]> models(JavaRDD<Integer> slots, Broadcast<double[]> sent) {
    return slots.map(unused -> sent.value().clone());
  }

  private static double[] add(double[] left, double[] right) {
    if (left.length == 0 || right.length == 0) {
      return left.length == 0 ? right : left;
    }
    for (int i = 0; i < left.length; i++) {
      left[i] += right[i];
    }
    return left;
  }
}
