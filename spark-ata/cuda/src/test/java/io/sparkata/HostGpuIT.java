package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Device;
import io.sparkata.cuda.HostCompiler;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FakeNvidiaSmi;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.SparkArchive;
import io.sparkata.testing.TestData;
import io.sparkata.testing.TestGpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * Rounds of one executor with a GPU and two without, through LWJGL to the kernels of gradients.cu.
 * The GPU's driver is host_driver.cc, whose device is the host, so properties of a real device,
 * such as speed, are not tested. Skipped if there is no g++.
 */
@Tag("g++")
class HostGpuIT {
  private static final int FEATURES = 20;
  private static final int CLASSES = 4;
  private static final String GPU_HOST = "127.0.0.2";

  @TempDir private Path folder;

  @Test
  void train_oneGpuAndTwoCpus_endsWithTheWeightsOfMllib() throws Exception {
    assumeTrue(HostCompiler.isThere(), HostCompiler.MISSING);
    Path libraries = Files.createDirectory(folder.resolve("lib"));
    Files.createSymbolicLink(libraries.resolve("libcuda.so.1"), HostCompiler.compileDriver());
    Tuple2<Vector, double[]> stock = Mllib.stock(spark -> training(spark, 2).trainByMllib());
    Tuple2<Vector, double[]> stockOfClasses =
        Mllib.stock(spark -> training(spark, CLASSES).trainByMllib());
    Path launches = folder.resolve("launches");
    try (PlainSpark cluster = new PlainSpark(folder);
        CapturedLog log = CapturedLog.atDebug("io.sparkata")) {
      try (JavaSparkContext spark = start(startCluster(cluster), libraries, launches)) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> statements(log).count() == 3);
        assertThat(statements(log))
            .anyMatch(line -> line.contains("computes with Host as a GPU at GPU address 0"));
        assertThat(AtaRuntime.of(spark.sc()).orElseThrow().cluster().live())
            .allSatisfy(
                executor ->
                    assertThat(executor.device())
                        .isEqualTo(executor.host().equals(GPU_HOST) ? Device.GPU : Device.CPU));

        Mllib.assertSame(training(spark, 2).trainBySparkAta(null), stock);
        Mllib.assertSame(training(spark, CLASSES).trainBySparkAta(null), stockOfClasses);
      }
      assertThat(samplesByHost())
          .hasSize(3)
          .allSatisfy((host, samples) -> assertThat(samples).isPositive());
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(Files.readAllLines(launches))
                      .contains(
                          "launch dense_double_warp_1",
                          "launch class_factors_double",
                          "launch dense_classes_double",
                          "launch sum_partials")
                      .endsWith(
                          "left: 0 allocations, 0 of page-locked memory, 0 streams, 0 contexts"));
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  private String startCluster(PlainSpark cluster) throws IOException {
    Path gpu = FakeNvidiaSmi.answering(folder, "0\n", 0);
    Path none = FakeNvidiaSmi.answering(folder, "No devices were found\n", 6);
    return cluster.startCluster(
        List.of(
            offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-2"), gpu, 0)),
            offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-3"), none, 1)),
            offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-4"), none, 1))));
  }

  private static List<String> offering(Path discoveryScript) {
    return List.of(
        "-Dspark.worker.resource.gpu.amount=1",
        "-Dspark.worker.resource.gpu.discoveryScript=" + discoveryScript);
  }

  private JavaSparkContext start(String master, Path libraries, Path launches) {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster(master)
            .setAppName("spark-ata-host-gpu-test")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.extraClassPath", SparkArchive.classPath())
            .set(
                "spark.executor.extraJavaOptions",
                String.join(
                    " ",
                    "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                    String.join(" ", SparkArchive.jvmOptions()),
                    "-D" + TestGpus.REFUSED + "=0"))
            .set("spark.executorEnv.HOST_CUDA_LOG", launches.toString())
            .set("spark.executorEnv.LD_LIBRARY_PATH", libraries.toString())
            .set("spark.executor.resource.gpu.amount", "1")
            .set("spark.task.resource.gpu.amount", "1")
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.report", "off")
            .set("spark.ata.blockSize", "16k")
            .set("spark.ata.roundLog.path", folder.resolve("rounds").toUri().toString())
            .set("spark.ata.route", "none"));
  }

  private static Mllib training(JavaSparkContext spark, int classes) {
    return new Mllib(
        TestData.partitions(spark, TestData.rows(450, FEATURES, false, 1), 3),
        new LogisticGradient(classes),
        /* fraction= */ 0.5,
        /* iterations= */ 5,
        FEATURES * (classes - 1));
  }

  private static Stream<String> statements(CapturedLog log) {
    return log.messages(Level.DEBUG).stream().filter(line -> line.contains(" computes with "));
  }

  /** Over all rounds. */
  private Map<String, Long> samplesByHost() throws IOException {
    Map<String, Long> samples = new TreeMap<>();
    try (Stream<Path> logs = Files.list(folder.resolve("rounds"))) {
      for (Path file : logs.filter(Files::isRegularFile).toList()) {
        for (String line : Files.readAllLines(file)) {
          for (JsonNode worker : new ObjectMapper().readTree(line).path("workers")) {
            samples.merge(worker.get("host").asText(), worker.get("samples").asLong(), Long::sum);
          }
        }
      }
    }
    return samples;
  }
}
