package io.sparkata.lab.bench;

import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LBFGS;
import org.apache.spark.mllib.optimization.Updater;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** MLlib's gradient descent over cached rows, or its L-BFGS for sides of that method. */
final class Descent implements Training {
  private static final int CORRECTIONS = 10;
  private static final int FEW_ITERATIONS = 5;
  private static final int MANY_ITERATIONS = 100;

  /** What a task needs besides its kernel is called once in each of these. */
  private static final int BRIEF_ITERATIONS = 300;

  private static final double BRIEF_FRACTION = 0.01;
  private static final int BRIEF_ROWS = 100;

  private final Setting setting;
  private final Workload workload;
  private final IntFunction<JavaRDD<Tuple2<Object, Vector>>> made;
  private RDD<Tuple2<Object, Vector>> rows;
  private Optional<CachedRows> cached = Optional.empty();
  private Ticks ticks;
  private boolean isRehearsed;

  Descent(Setting setting, Workload workload) {
    if (!List.of("", "lbfgs").contains(setting.side().method())) {
      throw new RunFailure("Invalid --sides: " + setting.side().id() + " (not of this work)");
    }
    this.setting = setting;
    this.workload = workload;
    this.made = workload.on(setting.context());
    this.rows = made.apply(setting.partitions()).rdd();
    this.ticks = ticks();
  }

  private Ticks ticks() {
    int keepEvery = Math.max(1, setting.iterations() / LossPoints.POINTS);
    return new Ticks(workload.updater(), setting, keepEvery);
  }

  private boolean isByLbfgs() {
    return setting.side().method().equals("lbfgs");
  }

  @Override
  public String dataset() {
    return workload.dataset();
  }

  @Override
  public void read() {
    rows.count();
  }

  @Override
  public void cache() {
    Side side = setting.side();
    CachedRows some =
        side.partitionsPerSlot() == 1
            ? CachedRows.onePerExecutor(made, setting.executors().ids())
            : CachedRows.asScheduled(
                made.apply(setting.partitions()),
                side.isReplicated() ? setting.executors().count() : 1);
    cached = Optional.of(some);
    rows = some.rdd();
  }

  @Override
  public void uncache() {
    cached.ifPresent(CachedRows::close);
  }

  /** As many rounds as draw every row once, within bounds. */
  @Override
  public void rehearse() {
    if (!isRehearsed && !isByLbfgs() && workload.rows() * BRIEF_FRACTION > BRIEF_ROWS) {
      double brief = Math.min(workload.fraction(), BRIEF_FRACTION);
      run(workload.warmUpGradient(), workload.updater(), BRIEF_ITERATIONS, brief);
    }
    isRehearsed = true;
    run(
        workload.warmUpGradient(),
        workload.updater(),
        (int) Math.max(FEW_ITERATIONS, Math.min(MANY_ITERATIONS, 1 / workload.fraction())),
        workload.fraction());
  }

  @Override
  public Turn train() {
    ticks = ticks();
    long begin = System.nanoTime();
    if (setting.spec().isCold()) {
      rows.persist(StorageLevel.MEMORY_ONLY());
    }
    Tuple2<Vector, double[]> trained =
        run(workload.gradient(), ticks, setting.iterations(), workload.fraction());
    Map<String, Double> figures = new TreeMap<>();
    figures.put(Turn.CALL, (System.nanoTime() - begin) / 1e9);
    ticks.addCpuTimes(figures);
    Map<String, List<Double>> series = new TreeMap<>();
    series.put(Turn.ENDS, ticks.secondsSince(begin));
    series.put(Turn.LOSSES, Arrays.stream(trained._2()).boxed().toList());
    boolean compares = setting.side().partitionsPerSlot() == 1; // or the samples are others
    return new Turn(dataset(), figures, series, compares ? trained._1().toArray() : new double[0]);
  }

  private Tuple2<Vector, double[]> run(
      Gradient gradient, Updater updater, int iterations, double fraction) {
    return isByLbfgs()
        ? LBFGS.runLBFGS(
            rows,
            gradient,
            updater,
            CORRECTIONS,
            /* convergenceTol= */ 0.0,
            iterations,
            workload.regParam(),
            workload.start())
        : GradientDescent.runMiniBatchSGD(
            rows,
            gradient,
            updater,
            workload.step(),
            iterations,
            workload.regParam(),
            fraction,
            workload.start(),
            /* convergenceTol= */ 0.0);
  }

  @Override
  public int ended() {
    return ticks.count();
  }

  @Override
  public double batch() {
    return workload.hasEfficiency() && !isByLbfgs() ? workload.batch() : Double.NaN;
  }

  @Override
  public void complete(Turn turn, Rounds rounds) {
    if (workload instanceof CnnRows network) {
      LossPoints.add(turn, network, ticks.kept(), rounds);
    }
  }
}
