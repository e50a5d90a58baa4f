package io.sparkata;

import com.esotericsoftware.kryo.Kryo;
import io.sparkata.gate.GatedKryo;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Registers the classes that Spark ATA sends with Kryo. Applications with {@code
 * spark.kryo.registrationRequired=true} add this class to {@code spark.kryo.registrator}.
 */
public final class AtaKryoRegistrator implements KryoRegistrator {
  @Override
  public void registerClasses(Kryo kryo) {
    GatedKryo.register("io.sparkata.spark.KryoClasses", kryo);
  }
}
