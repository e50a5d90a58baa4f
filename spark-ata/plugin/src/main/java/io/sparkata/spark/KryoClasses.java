package io.sparkata.spark;

import com.esotericsoftware.kryo.Kryo;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;

/** What Spark ATA sends between driver and executors, where Kryo must know all classes. */
public final class KryoClasses {
  /** Registers them, for those who name it in {@code spark.kryo.registrator}. */
  public static final String REGISTRATOR = "io.sparkata.AtaKryoRegistrator";

  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  /** Far above what Kryo counts up to, and three bytes long where it is written. */
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
          "java.util.ArrayList");

  private KryoClasses() {}

  /** Whether Kryo would refuse them. */
  public static boolean areRefused(SparkConf conf) {
    return conf.get("spark.serializer", "").equals(KRYO)
        && conf.getBoolean("spark.kryo.registrationRequired", false)
        && Arrays.stream(conf.get("spark.kryo.registrator", "").split(","))
            .noneMatch(name -> name.trim().equals(REGISTRATOR));
  }

  /**
   * Makes them known, by ids of their own: those of other classes are the same with and without
   * them, as on an executor that this jar does not fit.
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
