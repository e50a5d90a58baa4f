package io.sparkata.testing;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/** Breaks our tasks on executors while the driver's thread has set {@link #PROPERTY}. */
public final class FaultPlugin implements SparkPlugin {
  /** A local property: it travels with the jobs of the thread that sets it. */
  public static final String PROPERTY = "spark.ata.test.fault";

  /** Value: every attempt at a round's task fails. */
  public static final String TASK = "task";

  /** Value: the first attempt at a round's task fails. */
  public static final String TASK_ONCE = "task once";

  /** Value: every attempt at a packing task fails. */
  public static final String PACKING = "packing";

  /** Value: a round's task runs until it is killed. */
  public static final String HANG = "hang";

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> extraConf) {
        // Never disarmed: the JVM ends with the executor.
        Faults.at("io.sparkata.rounds.RoundRdd", "compute", 1, arguments -> strike(TASK));
        Faults.at("io.sparkata.blocks.BlockBuilder", "build", 1, arguments -> strike(PACKING));
      }
    };
  }

  private static void strike(String step) {
    TaskContext task = TaskContext.get();
    String wanted = task == null ? null : task.getLocalProperty(PROPERTY);
    if (step.equals(wanted)
        || (TASK_ONCE.equals(wanted) && step.equals(TASK) && task.attemptNumber() == 0)) {
      Faults.Kind.EXCEPTION.strike();
    }
    while (HANG.equals(wanted) && step.equals(TASK) && !task.isInterrupted()) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
