package io.sparkata.lab.bench;

import io.sparkata.lab.ring.RingJob;
import io.sparkata.lab.ring.RingResult;
import io.sparkata.lab.ring.RingRows;
import io.sparkata.lab.ring.RingShares;
import io.sparkata.lab.ring.RingTraining;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.spark.broadcast.Broadcast;

/** The network by ring all-reduce, with equal, static or self-adaptive shares. */
final class InRing implements Training {
  /** Rounds between two changes of self-adaptive shares: quotas are noisy within one. */
  private static final int ADAPT_EVERY = 10;

  private static final int WARM_UP_ITERATIONS = 50;

  private final Setting setting;
  private final CnnRows network;
  private final Broadcast<RingRows> rows;

  InRing(Setting setting, CnnRows network) {
    this.setting = setting;
    this.network = network;
    RingRows images = network.problem()::row;
    this.rows = setting.context().broadcast(images);
  }

  @Override
  public String dataset() {
    return network.dataset();
  }

  @Override
  public void rehearse() {
    run(WARM_UP_ITERATIONS);
  }

  private RingResult run(int iterations) {
    RingTraining training =
        new RingTraining(
            network.start(),
            network.gradient(),
            network.updater(),
            network.step(),
            iterations,
            Math.toIntExact(network.rows()),
            network.images(),
            setting.seed(),
            shares());
    return RingJob.run(setting.context(), setting.executors().count(), rows, training);
  }

  private RingShares shares() {
    int members = setting.executors().count();
    return switch (setting.side().method()) {
      case "ring-equal" ->
          RingShares.fixed(DoubleStream.generate(() -> 1).limit(members).toArray());
      case "ring-static" ->
          RingShares.fixed(
              Arrays.stream(setting.spec().speeds().split(",", -1))
                  .mapToDouble(Double::parseDouble)
                  .toArray());
      default -> RingShares.selfAdaptive(members, ADAPT_EVERY);
    };
  }

  @Override
  public Turn train() {
    RingResult result = run(setting.iterations());
    List<Double> ends = result.endSeconds();
    Map<String, Double> figures = new TreeMap<>();
    figures.put(Turn.CALL, ends.get(ends.size() - 1));
    figures.put("packSeconds", result.setUpSeconds());
    figures.put(
        "kernelSeconds", result.computeSeconds().stream().mapToDouble(Double::doubleValue).sum());
    figures.put("finalLoss", network.loss(result.weights()));
    Map<String, List<Double>> series = new TreeMap<>();
    series.put(Turn.ENDS, ends);
    series.put(Turn.LOSSES, result.losses());
    series.put(
        "rowsByExecutor",
        result.rows().stream().map(all -> (double) all / setting.iterations()).toList());
    series.put(
        "millisPerRow",
        IntStream.range(0, result.rows().size())
            .mapToObj(i -> 1e3 * result.computeSeconds().get(i) / result.rows().get(i))
            .toList());
    return new Turn(dataset(), figures, series, result.weights().toArray());
  }
}
