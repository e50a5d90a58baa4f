package io.sparkata.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.GpuRequiredException;
import io.sparkata.config.AtaConf;
import io.sparkata.routing.Eligibility.Allocate;
import io.sparkata.routing.Eligibility.Leave;
import io.sparkata.routing.Eligibility.Refuse;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;

class EligibilityRulesTest {
  private static final Executor CPU = new Executor("1", "a", 1, 100, Device.CPU);
  private static final Executor OTHER = new Executor("2", "b", 1, 100, Device.CPU);
  private static final Executor GPU = new Executor("3", "c", 1, 100, Device.GPU);

  @Test
  void ofRows_enoughForTwo_areAllocated() {
    assertThat(rules("auto").ofRows(640, 0.1, List.of(CPU, OTHER))).isInstanceOf(Allocate.class);
  }

  @Test
  void ofRows_lessThan32SampledPerExecutor_areLeft() {
    assertThat(rules("auto").ofRows(639, 0.1, List.of(CPU, OTHER)))
        .isEqualTo(
            new Leave(
                Reason.SMALL_ROUND,
                "a round of 639 rows x 0.1 is too small to share out among 2 executors"));
    assertThat(rules("never").ofRows(639, 0.1, List.of(CPU, OTHER))).isInstanceOf(Allocate.class);
  }

  /** MLlib's own exception is the right one. */
  @Test
  void ofRows_none_areAllocated() {
    assertThat(rules("auto").ofRows(0, 0.1, List.of(CPU, OTHER))).isInstanceOf(Allocate.class);
  }

  @Test
  void ofRows_oneExecutor_areLeftUnlessItHasAGpu() {
    assertThat(rules("auto").ofRows(10_000, 1, List.of(CPU)))
        .isEqualTo(new Leave(Reason.ONE_EXECUTOR, "there is one executor only"));
    assertThat(rules("auto").ofRows(10_000, 1, List.of(GPU))).isInstanceOf(Allocate.class);
  }

  @Test
  void ofElements_fewerThanTwoPerExecutor_areLeftThoughGradientDescentRequiresAGpu() {
    EligibilityRules ofSums =
        new EligibilityRules(AtaConf.ofSums(settings("spark.ata.gpu", "required")));
    assertThat(ofSums.ofElements(4, 2)).isInstanceOf(Allocate.class);
    assertThat(ofSums.ofElements(3, 2))
        .isEqualTo(
            new Leave(
                Reason.FEW_ELEMENTS, "3 elements are too few to share out among 2 executors"));
    assertThat(rules("never").ofElements(3, 2)).isInstanceOf(Allocate.class);
  }

  @Test
  void ofMemory_gpuRequired_isRefusedElseLeft() {
    assertThat(rules("auto").ofMemory("no room")).isEqualTo(new Leave(Reason.NO_MEMORY, "no room"));
    Eligibility required =
        new EligibilityRules(conf("spark.ata.gpu", "required")).ofMemory("no room");
    assertThat(((Refuse) required).exception())
        .isInstanceOf(GpuRequiredException.class)
        .hasMessageContaining("no room");
  }

  @Test
  void ofMisfit_anyCause_isLeftOrRefusedAsAsked() {
    assertThat(rules("never").ofMisfit("executor 1 cannot take part"))
        .isEqualTo(new Leave(Reason.EXECUTOR_MISFIT, "executor 1 cannot take part"));
    Eligibility failing =
        new EligibilityRules(conf("spark.ata.onError", "fail")).ofMisfit("no part");
    assertThat(((Refuse) failing).exception())
        .hasMessage(
            "Spark ATA cannot work: no part. Give every executor the Java and the jar of the"
                + " driver");
  }

  @Test
  void ofCall_localMaster_isLeftOrAllocatedAsAsked() {
    try (JavaSparkContext spark = local(new SparkConf())) {
      RDD<?> data = spark.parallelize(List.of(1, 2), 2).rdd();

      assertThat(rules("auto").ofCall(data, 1))
          .isEqualTo(
              new Leave(Reason.LOCAL_MASTER, "the master is local: there is one executor only"));
      assertThat(rules("never").ofCall(data, 1)).isInstanceOf(Allocate.class);
      assertThat(rules("never").ofCall(data, 1.5))
          .isEqualTo(new Leave(Reason.FRACTION, "a fraction of 1.5 is not in (0, 1]"));
      assertThat(rules("never").ofCall(spark.emptyRDD().rdd(), 1))
          .isEqualTo(new Leave(Reason.NO_PARTITIONS, "the data have no partitions"));
    }
  }

  @Test
  void ofCall_kryoDoesNotKnowUs_isRefusedWhereErrorsAreThrownElseLeft() {
    SparkConf strict =
        new SparkConf()
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrationRequired", "true");
    try (JavaSparkContext spark = local(strict)) {
      RDD<?> data = spark.parallelize(List.of(1), 1).rdd();

      assertThat(new EligibilityRules(conf("spark.ata.onError", "fallback")).ofCall(data, 1))
          .isInstanceOfSatisfying(
              Leave.class, leave -> assertThat(leave.reason()).isEqualTo(Reason.KRYO_REGISTRATION));
      Eligibility failing = new EligibilityRules(conf("spark.ata.onError", "fail")).ofCall(data, 1);
      assertThat(((Refuse) failing).exception()).hasMessageEndingWith("Add it there");
    }
  }

  @Test
  void countsFirst_rowsMightBePackedInVain_yes() {
    assertThat(rules("auto").countsFirst(0.5, List.of(CPU))).isTrue();
    assertThat(rules("auto").countsFirst(0.5, List.of(CPU, OTHER))).isFalse();
    assertThat(rules("auto").countsFirst(0.001, List.of(CPU, OTHER))).isTrue();
    assertThat(rules("never").countsFirst(0.001, List.of(CPU))).isFalse();
  }

  @Test
  void advice_nothingToGain_namesTheKeyThatAllocatesAnyway() {
    for (Reason reason : List.of(Reason.SMALL_ROUND, Reason.FEW_ELEMENTS)) {
      assertThat(new Leave(reason, "x").advice()).endsWith(", or set spark.ata.passThrough=never");
    }
    assertThat(new Leave(Reason.FRACTION, "x").advice()).isEqualTo("Use one that is");
  }

  private static EligibilityRules rules(String passThrough) {
    return new EligibilityRules(conf("spark.ata.passThrough", passThrough));
  }

  private static AtaConf conf(String key, String value) {
    return AtaConf.of(settings(key, value));
  }

  private static SparkConf settings(String key, String value) {
    return new SparkConf(false).set("spark.ata.enabled", "true").set(key, value);
  }

  private static JavaSparkContext local(SparkConf conf) {
    return new JavaSparkContext(
        conf.setMaster("local[1]").setAppName("eligibility").set("spark.ui.enabled", "false"));
  }
}
