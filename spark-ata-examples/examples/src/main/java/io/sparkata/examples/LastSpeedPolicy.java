package io.sparkata.examples;

import io.sparkata.allocation.AllocationPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy of one's own: units in proportion to the speed that each worker had last.
 *
 * <pre>
 * spark-submit --master spark://host:7077 \
 *   --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar,spark-ata-examples-0.1.0-SNAPSHOT.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.ata.policy=io.sparkata.examples.LastSpeedPolicy \
 *   --class io.sparkata.examples.TrainByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar data.libsvm
 * </pre>
 */
public final class LastSpeedPolicy implements AllocationPolicy {
  private final Map<String, Double> lastTimes = new HashMap<>();

  @Override
  public String id() {
    return "last-speed";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    double[] speeds = new double[workers.size()];
    double sum = 0;
    for (int i = 0; i < speeds.length; i++) {
      double time = meanTime(workers.get(i));
      speeds[i] = 1 / (Double.isNaN(time) ? typicalTime() : time);
      sum += speeds[i];
    }
    int[] units = new int[speeds.length];
    int rest = budget;
    for (int i = 0; i < units.length; i++) {
      units[i] = (int) (budget * speeds[i] / sum);
      rest -= units[i];
    }
    for (int i = 0; i < rest; i++) { // fewer than workers, for each lost less than a unit
      units[i % units.length]++;
    }
    return units;
  }

  @Override
  public void observe(String worker, double units, double time) {
    lastTimes.put(worker, time / units);
  }

  @Override
  public double meanTime(String worker) {
    return lastTimes.getOrDefault(worker, Double.NaN);
  }

  /** For a worker never seen. */
  private double typicalTime() {
    return lastTimes.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
  }
}
