package com.example;

import io.sparkata.allocation.AllocationPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy of your own: each worker gets units in proportion to the speed it had last.
 *
 * <p>In the simulator, and next to the other policies in a benchmark, from the project's folder:
 *
 * <pre>
 * mvn -f spark-ata-examples/examples/own-policy package
 * JAR=spark-ata-examples/examples/own-policy/target/own-policy-1.0.jar
 * scripts/ata simulate --policy com.example.LastSpeedPolicy --classpath $JAR
 * scripts/ata bench heterogeneous --policy com.example.LastSpeedPolicy --classpath $JAR
 * </pre>
 *
 * <p>In Spark, or by {@code scripts/submit}, which adds the plugin's jar and the plugin itself:
 *
 * <pre>
 * spark-submit --master spark://host:7077 \
 *   --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar,own-policy-1.0.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.ata.policy=com.example.LastSpeedPolicy \
 *   --class io.sparkata.examples.LogisticByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
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
    for (int i = 0; i < rest; i++) { // rounding down lost less than one unit per worker
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

  /** The mean of the known times, for a worker never seen. */
  private double typicalTime() {
    return lastTimes.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
  }
}
