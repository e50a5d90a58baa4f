package io.sparkata.testing;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Breaks our work on executors while the test has armed a fault. Executors ask the driver: a local
 * property would not reach a round by message.
 */
public final class FaultPlugin implements SparkPlugin {
  /** The value of spark.plugins: Spark ATA's and this one. */
  public static final String PLUGINS = "io.sparkata.AtaPlugin," + FaultPlugin.class.getName();

  private static final String ROUND = "round";
  private static final String PACKING_STEP = "packing";

  private static volatile Fault armed = Fault.NONE; // in the driver's JVM
  private static volatile boolean hasStruck;

  /** What happens on executors. */
  public enum Fault {
    NONE(""),
    /** Every attempt at a round's work fails. */
    WORK(ROUND),
    /** The first attempt of each task at a round's work fails. */
    FIRST_ATTEMPT(ROUND),
    /** A round's work runs until its task is killed. */
    HANG(ROUND),
    /** Every attempt at packing fails. */
    PACKING(PACKING_STEP);

    private final String step;

    Fault(String step) {
      this.step = step;
    }
  }

  /** From now on, executors have this fault. */
  public static void arm(Fault fault) {
    armed = fault;
  }

  /** From now on, executors have no fault. */
  public static void disarm() {
    armed = Fault.NONE;
    hasStruck = false;
  }

  /** Whether an executor has had a fault since the last {@link #disarm}. */
  public static boolean hasStruck() {
    return hasStruck;
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {
      @Override
      public Object receive(Object step) {
        Fault fault = armed;
        if (!fault.step.equals(step)) {
          return Fault.NONE.name();
        }
        hasStruck = true;
        return fault.name();
      }
    };
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext driver, Map<String, String> extraConf) {
        // Never disarmed: the JVM ends with the executor.
        Faults.at(
            "io.sparkata.rounds.TaskWork",
            "<init>",
            1,
            arguments -> strike(ask(driver, ROUND), (TaskContext) arguments[2]));
        Faults.at(
            "io.sparkata.blocks.BlockBuilder",
            "build",
            1,
            arguments -> strike(ask(driver, PACKING_STEP), TaskContext.get()));
      }
    };
  }

  private static Fault ask(PluginContext driver, String step) {
    try {
      return Fault.valueOf((String) driver.ask(step));
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  private static void strike(Fault fault, TaskContext task) {
    switch (fault) {
      case NONE -> {}
      case WORK, PACKING -> Faults.Kind.EXCEPTION.strike();
      case FIRST_ATTEMPT -> {
        if (task.attemptNumber() == 0) {
          Faults.Kind.EXCEPTION.strike();
        }
      }
      case HANG -> {
        while (!task.isInterrupted()) {
          LockSupport.parkNanos(1_000_000);
        }
      }
    }
  }
}
