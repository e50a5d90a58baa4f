package io.sparkata.kernel;

import java.util.Optional;
import org.apache.spark.mllib.optimization.Gradient;

/** An open GPU. Thread-safe: with fractional amounts several tasks share one. */
public interface GpuDevice extends AutoCloseable {
  /** The model, for the log. */
  String name();

  /**
   * A kernel for one task, which alone uses it; called on the task's thread.
   *
   * @return empty if the CPU has to compute this gradient
   */
  Optional<GradientKernel> kernel(Gradient gradient);

  /**
   * Releases the device at the executor's end. Tasks may still run: their kernels may fail from
   * here on, but must not bring the JVM down.
   */
  @Override
  void close();
}
