package io.sparkata.rounds;

import io.sparkata.allocation.Allocator;
import io.sparkata.allocation.Prior;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.memory.Speeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One training's part in what is remembered of speeds: priors for its policy, and afterwards what
 * it measured, with recent rounds weighing more. Driver only, one thread.
 */
final class SpeedMemory {
  /** A belief weighs as much as an executor's even share of one round. */
  private static final double PRIOR_UNITS = Allocator.UNITS_PER_WORKER;

  /** Of a measurement when the next one comes: the last ten or so count. */
  private static final double KEPT = 0.9;

  private final Speeds speeds;
  private final String kernel;
  private final double bytesPerRow;
  private final Map<String, Measured> measured = new HashMap<>();

  private static final class Measured {
    private final String host;
    private final boolean isOnGpu;
    private final String kernel;
    private double nanos;
    private double rows;

    Measured(Executor executor, String kernel) {
      this.host = executor.host();
      this.isOnGpu = executor.device() == Device.GPU;
      this.kernel = kernel;
    }
  }

  /**
   * @param kernel the kind of kernel and layout; executors with a GPU have figures of their own
   * @param bytesPerRow mean packed bytes of a row
   */
  SpeedMemory(Speeds speeds, String kernel, double bytesPerRow) {
    this.speeds = speeds;
    this.kernel = kernel;
    this.bytesPerRow = bytesPerRow;
  }

  /**
   * Priors by executor, without the executors of which too little is known.
   *
   * @param rowsPerUnit sampled rows of a unit; the priors' times are nanoseconds per unit, over the
   *     executor's slots
   */
  Map<String, Prior> priors(List<Executor> executors, double rowsPerUnit) {
    Map<String, Prior> priors = new HashMap<>();
    for (Executor executor : executors) {
      if (executor.device() == Device.UNKNOWN) {
        continue;
      }
      OptionalDouble known =
          speeds.nanosPerByte(executor.id(), executor.host(), kernelOn(executor));
      double mean = known.orElse(0) * bytesPerRow / executor.slots() * rowsPerUnit;
      if (mean > 0 && mean < Double.POSITIVE_INFINITY) {
        priors.put(executor.id(), new Prior(mean, PRIOR_UNITS));
      }
    }
    return priors;
  }

  private String kernelOn(Executor executor) {
    return executor.device() == Device.GPU ? "gpu " + kernel : kernel;
  }

  /**
   * Takes in one finished task.
   *
   * @param nanos of its kernel, on one slot
   */
  void observe(Executor executor, double rows, double nanos) {
    if (executor.device() == Device.UNKNOWN) {
      return; // it could not report whether its times are a GPU's
    }
    Measured sum = measured.get(executor.id());
    if (sum == null || sum.isOnGpu != (executor.device() == Device.GPU)) { // its GPU has failed
      sum = new Measured(executor, kernelOn(executor));
      measured.put(executor.id(), sum);
    }
    sum.rows = KEPT * sum.rows + rows;
    sum.nanos = KEPT * sum.nanos + nanos;
  }

  /** Hands on what was measured. */
  void remember() {
    measured.forEach(
        (executor, sum) ->
            speeds.remember(executor, sum.host, sum.kernel, sum.nanos / sum.rows / bytesPerRow));
    speeds.writeIfDue();
  }
}
