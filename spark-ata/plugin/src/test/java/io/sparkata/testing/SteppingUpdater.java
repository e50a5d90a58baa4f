package io.sparkata.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.optimization.Updater;
import scala.Tuple2;

/** SquaredL2Updater, with a step of the test before each update, on the training's own thread. */
public final class SteppingUpdater extends Updater {
  private static final long serialVersionUID = 1L;
  private static final int LOOKS = 20;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Updater own = new SquaredL2Updater();
  private final transient IntConsumer step;

  /**
   * @param step receives the iteration, from 1
   */
  public SteppingUpdater(IntConsumer step) {
    this.step = step;
  }

  @Override
  public Tuple2<Vector, Object> compute(
      Vector weights, Vector gradient, double stepSize, int iteration, double regParam) {
    if (stepSize > 0) { // else MLlib asks for the first loss only
      step.accept(iteration);
    }
    return own.compute(weights, gradient, stepSize, iteration, regParam);
  }

  /** For a step: waits a tenth of a second at most, so that rounds go on. */
  public static void waitShortlyFor(BooleanSupplier condition) {
    for (int look = 0; look < LOOKS && !condition.getAsBoolean(); look++) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
