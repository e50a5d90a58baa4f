package io.sparkata;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * What Spark ATA sends between driver and executors, for applications that have set {@code
 * spark.kryo.registrationRequired}: they add this class to {@code spark.kryo.registrator}.
 */
public final class AtaKryoRegistrator implements KryoRegistrator {
  private static final List<String> CLASSES =
      List.of(
          "io.sparkata.data.PackedPartition",
          "io.sparkata.data.BlockRef",
          "[Lio.sparkata.data.BlockRef;",
          "io.sparkata.data.DenseBlock",
          "io.sparkata.data.SparseBlock",
          "io.sparkata.data.MixedBlock",
          "[Lorg.apache.spark.mllib.linalg.Vector;",
          "io.sparkata.data.ValueCodes",
          "io.sparkata.scheduling.RoundSum",
          "io.sparkata.scheduling.TaskReport",
          "io.sparkata.scheduling.CoveredRows",
          "java.util.ArrayList");

  @Override
  public void registerClasses(Kryo kryo) {
    for (String name : CLASSES) {
      try {
        kryo.register(Class.forName(name, /* initialize= */ false, getClass().getClassLoader()));
      } catch (ClassNotFoundException missing) {
        throw new IllegalStateException("The jar of Spark ATA lacks " + name, missing);
      }
    }
  }
}
