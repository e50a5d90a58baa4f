package io.sparkata.spark;

import com.esotericsoftware.kryo.Kryo;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;

/**
 * The classes that Spark ATA sends between driver and executors, for Kryo with required
 * registration.
 */
public final class KryoClasses {
  /** The registrator that users name in {@code spark.kryo.registrator}. */
  public static final String REGISTRATOR = "io.sparkata.AtaKryoRegistrator";

  /** Far above the ids that Kryo assigns, and three bytes long when written. */
  private static final int FIRST_ID = 1_500_000;

  private static final List<String> CLASSES =
      List.of(
          "io.sparkata.blocks.PackedPartition",
          "io.sparkata.blocks.BlockRef",
          "[Lio.sparkata.blocks.BlockRef;",
          "io.sparkata.blocks.DenseBlock",
          "io.sparkata.blocks.SparseBlock",
          "io.sparkata.blocks.MixedBlock",
          "[Lorg.apache.spark.mllib.linalg.Vector;",
          "io.sparkata.blocks.DictionaryValues",
          "io.sparkata.rounds.RoundResult",
          "io.sparkata.training.BatchSum",
          "io.sparkata.rounds.TaskReport",
          "io.sparkata.rounds.CoveredRows",
          "io.sparkata.training.MllibBatches$RowSum",
          "java.util.ArrayList",
          "io.sparkata.blocks.ElementBlock",
          "io.sparkata.objective.PackedSum",
          "io.sparkata.blocks.NumberArrays$Doubles",
          "io.sparkata.blocks.NumberArrays$Ints");

  private KryoClasses() {}

  /** Whether Kryo would refuse our classes. */
  public static boolean areRefused(SparkConf conf) {
    return isKryo(conf.get("spark.serializer", ""))
        && conf.getBoolean("spark.kryo.registrationRequired", false)
        && Arrays.stream(conf.get("spark.kryo.registrator", "").split(","))
            .noneMatch(name -> name.trim().equals(REGISTRATOR));
  }

  /** Whether it is Spark's serializer by Kryo, or a class of the user's that extends it. */
  private static boolean isKryo(String serializer) {
    try {
      return KryoSerializer.class.isAssignableFrom(
          Class.forName(serializer, false, Thread.currentThread().getContextClassLoader()));
    } catch (ClassNotFoundException | LinkageError unknown) { // Spark would not have started
      return false;
    }
  }

  /**
   * Registers the classes by ids of their own. The ids of other classes stay the same without ours,
   * as on an executor that this jar does not fit.
   */
  public static void register(Kryo kryo) {
    ClassLoader ours = KryoClasses.class.getClassLoader();
    int id = FIRST_ID;
    for (String name : CLASSES) {
      try {
        Class<?> type = Class.forName(name, /* initialize= */ false, ours);
        if (kryo.getClassResolver().getRegistration(type) == null) {
          kryo.register(type, id);
        }
        id++;
      } catch (ClassNotFoundException missing) {
        throw new IllegalStateException("The jar of Spark ATA lacks " + name, missing);
      }
    }
  }
}
