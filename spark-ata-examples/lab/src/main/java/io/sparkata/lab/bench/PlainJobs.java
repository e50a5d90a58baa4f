package io.sparkata.lab.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.mllib.optimization.SimpleUpdater;

/**
 * Spark's own jobs of as many tasks as a round has: one does nothing, one sends weights and sums a
 * gradient of the same size.
 */
final class PlainJobs implements Training {
  private static final int FEW_ITERATIONS = 20;

  private final Setting setting;
  private final int weights;
  private final boolean isEmpty;
  private Ticks ticks;

  PlainJobs(Setting setting, int weights) {
    this.setting = setting;
    this.weights = weights;
    this.isEmpty = setting.side().method().equals("plain-empty");
    this.ticks = ticks();
  }

  private Ticks ticks() {
    return new Ticks(new SimpleUpdater(), setting, /* keepEvery= */ 1);
  }

  @Override
  public String dataset() {
    return "plain jobs";
  }

  @Override
  public void rehearse() {
    run(FEW_ITERATIONS);
  }

  @Override
  public Turn train() {
    ticks = ticks();
    long begin = System.nanoTime();
    run(setting.iterations());
    Map<String, Double> figures = new TreeMap<>();
    figures.put(Turn.CALL, (System.nanoTime() - begin) / 1e9);
    ticks.addCpuTimes(figures);
    Map<String, List<Double>> series = new TreeMap<>();
    series.put(Turn.ENDS, ticks.secondsSince(begin));
    return new Turn(dataset(), figures, series, new double[0]);
  }

  private void run(int jobs) {
    int tasks = setting.executors().count();
    List<Integer> slots = IntStream.range(0, tasks).boxed().toList();
    for (int i = 0; i < jobs; i++) {
      JavaRDD<Integer> rows = setting.context().parallelize(slots, tasks);
      if (isEmpty) {
        rows.foreachPartition(unused -> {});
      } else {
        Broadcast<double[]> sent = setting.context().broadcast(new double[weights]);
        rows.map(unused -> sent.value().clone())
            .treeAggregate(new double[0], PlainJobs::add, PlainJobs::add, 2);
        sent.destroy();
      }
      ticks.tick();
    }
  }

  static double[] add(double[] left, double[] right) {
    if (left.length == 0 || right.length == 0) {
      return left.length == 0 ? right : left;
    }
    for (int i = 0; i < left.length; i++) {
      left[i] += right[i];
    }
    return left;
  }
}
