package com.example;

import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy of your own: units in proportion to the speed that each worker had last. The README says
 * how to run it in the simulator, in benchmarks and on a cluster. In Spark, or by {@code
 * scripts/submit}, which adds the plugin's jar, the plugin and the vector module itself:
 *
 * <pre>
 * spark-submit --master spark://host:7077 \
 *   --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar,own-policy-1.0.jar \
 *   --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
 *   --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
 *   --conf spark.ata.policy=com.example.LastSpeedPolicy \
 *   --class io.sparkata.examples.LogisticByFlag spark-ata-examples-0.1.0-SNAPSHOT.jar points.libsvm
 * </pre>
 */
public final class LastSpeedPolicy implements AllocationPolicy {
  private final Map<String, Double> times = new HashMap<>();

  /** What each worker is owed: its share of all units so far, minus the units it got. */
  private final Map<String, Double> owed = new HashMap<>();

  /** Starts from the speeds of earlier trainings. Spark ATA calls it once per training. */
  public LastSpeedPolicy(PolicySettings settings) {
    settings.priors().forEach((worker, prior) -> times.put(worker, prior.mean()));
  }

  @Override
  public String id() {
    return "last-speed";
  }

  @Override
  public int[] allocate(List<String> workers, int budget) {
    double typical = times.values().stream().mapToDouble(time -> time).average().orElse(1);
    double[] speeds = new double[workers.size()];
    double sum = 0;
    for (int i = 0; i < speeds.length; i++) {
      speeds[i] = 1 / times.getOrDefault(workers.get(i), typical);
      sum += speeds[i];
    }
    int[] units = new int[speeds.length];
    int rest = budget;
    for (int i = 0; i < units.length; i++) {
      double share = budget * speeds[i] / sum;
      units[i] = (int) share;
      rest -= units[i];
      owed.merge(workers.get(i), share - units[i], Double::sum);
    }
    for (; rest > 0; rest--) { // rounding down left less than one unit per worker
      int most = 0;
      for (int i = 1; i < units.length; i++) {
        most = owed.get(workers.get(i)) > owed.get(workers.get(most)) ? i : most;
      }
      units[most]++; // so a slow worker gets a unit now and then, and is measured again
      owed.merge(workers.get(most), -1.0, Double::sum);
    }
    return units;
  }

  @Override
  public void observe(String worker, double units, double time) {
    times.put(worker, time / units);
  }

  @Override
  public double meanTime(String worker) {
    return times.getOrDefault(worker, Double.NaN);
  }
}
