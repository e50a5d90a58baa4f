package io.sparkata;

import com.esotericsoftware.kryo.Kryo;
import io.sparkata.gate.GatedKryo;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Makes the classes that Spark ATA sends known to Kryo: applications with {@code
 * spark.kryo.registrationRequired=true} add this one to {@code spark.kryo.registrator}.
 */
public final class AtaKryoRegistrator implements KryoRegistrator {
  @Override
  public void registerClasses(Kryo kryo) {
    GatedKryo.register("io.sparkata.spark.KryoClasses", kryo);
  }
}
