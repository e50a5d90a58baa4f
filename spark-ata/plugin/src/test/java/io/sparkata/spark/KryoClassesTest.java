package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import io.sparkata.AtaKryoRegistrator;
import io.sparkata.blocks.DenseBlock;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("spark")
class KryoClassesTest {
  /** A user's, that adds settings of its own. */
  static final class OwnSerializer extends KryoSerializer {
    private static final long serialVersionUID = 1L;

    OwnSerializer(SparkConf conf) {
      super(conf);
    }
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "org.apache.spark.serializer.KryoSerializer; true; ''; true",
        "org.apache.spark.serializer.KryoSerializer; true; my.Own; true",
        "org.apache.spark.serializer.KryoSerializer; true; io.sparkata.AtaKryoRegistrator; false",
        "org.apache.spark.serializer.KryoSerializer; true; my.Own, io.sparkata.AtaKryoRegistrator;"
            + " false",
        "org.apache.spark.serializer.KryoSerializer; false; ''; false",
        "io.sparkata.spark.KryoClassesTest$OwnSerializer; true; ''; true",
        "org.apache.spark.serializer.JavaSerializer; true; ''; false",
        "no.such.Serializer; true; ''; false",
      },
      delimiter = ';')
  void areRefused_byKryoThatMustKnowThem_unlessOursIsARegistrator(
      String serializer, boolean mustKnow, String registrator, boolean areRefused) {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.serializer", serializer)
            .set("spark.kryo.registrationRequired", Boolean.toString(mustKnow))
            .set("spark.kryo.registrator", registrator);

    assertThat(KryoClasses.areRefused(conf)).isEqualTo(areRefused);
  }

  @Test
  void areRefused_nothingSet_isFalse() {
    assertThat(KryoClasses.areRefused(new SparkConf(false))).isFalse();
  }

  @Test
  void registrator_always_isOursAndRegistersEachClass() {
    assertThat(KryoClasses.REGISTRATOR).isEqualTo(AtaKryoRegistrator.class.getName());
    Kryo kryo = new Kryo();
    kryo.setRegistrationRequired(true);

    new AtaKryoRegistrator().registerClasses(kryo);

    assertThat(kryo.getRegistration(DenseBlock.class).getId()).isPositive();
  }

  /** On an executor that the jar does not fit, ours are absent. */
  @Test
  void registrator_always_leavesTheIdsOfOthersAlone() {
    Kryo without = new Kryo();
    Kryo with = new Kryo();

    new AtaKryoRegistrator().registerClasses(with);

    assertThat(with.register(KryoClassesTest.class).getId())
        .isEqualTo(without.register(KryoClassesTest.class).getId());
  }
}
