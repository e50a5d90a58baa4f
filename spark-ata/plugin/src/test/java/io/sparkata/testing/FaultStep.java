package io.sparkata.testing;

import io.sparkata.spark.SparkBlocks;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.FaultPlugin.Fault;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.api.java.JavaSparkContext;

/** A step of Spark ATA's path that fails, in jobs and by message alike. */
public enum FaultStep {
  START("pack the data"),
  EXECUTORS("look at the executors"),
  PACKING_ON_DRIVER("pack the data"),
  PACKING_ON_EXECUTOR("pack the data"),
  PLACEMENT("run round"),
  WORK("run round"),
  LISTENER("run round"),
  POLICY("run round"),
  PACKING_AGAIN("run round");

  private static final String PLACEMENT_CLASS = "io.sparkata.placement.Placement";

  private final String effect;

  FaultStep(String effect) {
    this.effect = effect;
  }

  /** What Spark ATA cannot do, as its warning says. */
  public String effect() {
    return effect;
  }

  /** Rounds that succeed before the failure in the given round, counted from 1. */
  public int roundsBefore(int round) {
    return effect.equals("run round") ? round - 1 : 0;
  }

  /** Each step meets two kinds, and all steps together every kind. */
  private Faults.Kind kind(int round) {
    Faults.Kind[] kinds = Faults.Kind.values();
    return kinds[(List.of(values()).indexOf(this) + (round > 1 ? 1 : 0)) % kinds.length];
  }

  /** Arms the failure for the given round, counted from 1. */
  public List<Faults> arm(JavaSparkContext spark, int round) {
    Faults.Kind kind = kind(round);
    return switch (this) {
      case START -> List.of(failing("io.sparkata.rounds.RoundAccumulators", "<init>", 1, kind));
      case EXECUTORS -> List.of(failing("io.sparkata.cluster.LiveExecutors", "live", 1, kind));
      case PACKING_ON_DRIVER -> List.of(failing("io.sparkata.blocks.BlockPacker", "pack", 1, kind));
      case PACKING_ON_EXECUTOR -> {
        FaultPlugin.arm(Fault.PACKING);
        yield List.of();
      }
      case PLACEMENT -> List.of(failing(PLACEMENT_CLASS, "plan", round, kind));
      case WORK -> List.of(onExecutors(Fault.WORK, round));
      case LISTENER ->
          List.of(
              failing(
                  "io.sparkata.cluster.Observation",
                  "<init>",
                  round * (TestCluster.EXECUTORS - 1), // one may have no rows
                  kind),
              awaitingListeners(spark, round + 1)); // events come late
      case POLICY -> List.of(failing("io.sparkata.allocation.Allocator", "allocate", round, kind));
      case PACKING_AGAIN ->
          List.of(losing(spark, round), failing("io.sparkata.blocks.BlockPacker", "pack", 2, kind));
    };
  }

  /** A method that fails from the given call on. */
  public static Faults failing(String type, String method, int from, Faults.Kind kind) {
    return Faults.at(type, method, from, arguments -> kind.strike());
  }

  /** From the given round on, executors have a fault. */
  public static Faults onExecutors(Fault fault, int round) {
    return Faults.at(PLACEMENT_CLASS, "plan", round, arguments -> FaultPlugin.arm(fault));
  }

  /** At the given round, once, every packed block is taken away. */
  public static Faults losing(JavaSparkContext spark, int round) {
    AtomicBoolean hasStruck = new AtomicBoolean();
    return Faults.at(
        PLACEMENT_CLASS,
        "plan",
        round,
        arguments -> {
          if (hasStruck.getAndSet(true)) {
            return;
          }
          int newest = SparkBlocks.newRddId(spark.sc());
          for (int id = Math.max(0, newest - 200); id < newest; id++) {
            spark.sc().env().blockManager().master().removeRdd(id, /* blocking= */ true);
          }
        });
  }

  private static Faults awaitingListeners(JavaSparkContext spark, int round) {
    return Faults.at(
        PLACEMENT_CLASS,
        "plan",
        round,
        arguments -> SparkListeners.awaitListeners(spark.sc(), TimeUnit.MINUTES.toMillis(1)));
  }
}
