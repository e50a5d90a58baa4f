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
 * Connects one training with the remembered speeds: gives priors to its policy, and remembers what
 * the training measured, with more weight on recent rounds. Driver only, one thread.
 */
final class SpeedMemory {
  /** A prior weighs as much as an executor's even share of one round. */
  private static final double PRIOR_UNITS = Allocator.UNITS_PER_WORKER;

  /** The decay of a measurement at each new one: about the last ten count. */
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
   * @param kernel the kind of kernel and layout; executors with a GPU have separate figures
   * @param bytesPerRow mean packed bytes of a row
   */
  SpeedMemory(Speeds speeds, String kernel, double bytesPerRow) {
    this.speeds = speeds;
    this.kernel = kernel;
    this.bytesPerRow = bytesPerRow;
  }

  /**
   * Priors by executor, without executors whose speed is unknown.
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
   * Learns from one finished task.
   *
   * @param nanos of its kernel, on one slot
   */
  void observe(Executor executor, double rows, double nanos) {
    if (executor.device() == Device.UNKNOWN) {
      return; // it has not reported whether its times are a GPU's
    }
    Measured sum = measured.get(executor.id());
    if (sum == null || sum.isOnGpu != (executor.device() == Device.GPU)) { // its GPU has failed
      sum = new Measured(executor, kernelOn(executor));
      measured.put(executor.id(), sum);
    }
    sum.rows = KEPT * sum.rows + rows;
    sum.nanos = KEPT * sum.nanos + nanos;
  }

  /** Remembers the measured speeds. */
  void remember() {
    measured.forEach(
        (executor, sum) ->
            speeds.remember(executor, sum.host, sum.kernel, sum.nanos / sum.rows / bytesPerRow));
    speeds.writeIfDue();
  }
}
