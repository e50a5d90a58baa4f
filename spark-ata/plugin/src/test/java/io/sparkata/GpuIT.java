package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.cluster.AtaRuntime;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.cluster.GpuRequiredException;
import io.sparkata.events.TrainingEnded;
import io.sparkata.spark.SparkListeners;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.FakeNvidiaSmi;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.SparkArchive;
import io.sparkata.testing.TestData;
import io.sparkata.testing.TestGpus;
import io.sparkata.testing.UserGradient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfileBuilder;
import org.apache.spark.resource.TaskResourceRequests;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/**
 * A standalone cluster of three workers: two whose nvidia-smi names two GPUs, one without GPU that
 * declares two stand-ins. The kernels on them are {@link TestGpus}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GpuIT {
  private static final String GPU_HOST = "127.0.0.2";
  private static final String OTHER_GPU_HOST = "127.0.0.3";
  private static final String CPU_HOST = "127.0.0.4";
  private static final int FEATURES = 20;
  private static final Pattern COMPUTED =
      Pattern.compile("compute on (\\S+) for a task with (\\S+)");

  @TempDir private static Path folder;

  private PlainSpark cluster;
  private String master;
  private Tuple2<Vector, double[]> stock;
  private Tuple2<Vector, double[]> stockOfUsers;

  @BeforeAll
  void trainByMllib() {
    Mllib.withStock(
        spark -> {
          stock = training(spark, new LogisticGradient()).trainByMllib();
          stockOfUsers = training(spark, new UserGradient()).trainByMllib();
        });
  }

  @BeforeAll
  void startCluster() throws IOException {
    Path twoGpus = FakeNvidiaSmi.answering(folder, "0\n1\n", 0);
    Path none = FakeNvidiaSmi.answering(folder, "No devices were found\n", 6);
    cluster = new PlainSpark(folder);
    master =
        cluster.startCluster(
            List.of(
                offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-2"), twoGpus, 0)),
                offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-3"), twoGpus, 2)),
                offering(FakeNvidiaSmi.discoveryScript(folder.resolve("gpus-4"), none, 2))));
  }

  private static List<String> offering(Path discoveryScript) {
    return List.of(
        "-Dspark.worker.resource.gpu.amount=2",
        "-Dspark.worker.resource.gpu.discoveryScript=" + discoveryScript);
  }

  @AfterAll
  void stopCluster() throws IOException {
    cluster.close();
  }

  /** Two addresses per executor, each task with one of its own. */
  @Test
  void train_auto_allServeTheRoundAndTasksComputeOnTheirOwnAddress() throws IOException {
    Path written = Files.createDirectory(folder.resolve("auto"));
    try (CapturedLog log = CapturedLog.atDebug("io.sparkata");
        JavaSparkContext spark = start(written, Map.of(), /* perExecutor= */ 2, "1", "")) {
      awaitStatements(log);
      assertThat(devices(spark))
          .containsEntry(GPU_HOST, Device.GPU)
          .containsEntry(OTHER_GPU_HOST, Device.GPU)
          .containsEntry(CPU_HOST, Device.CPU);
      assertThat(runtime(spark).cluster().live()).extracting(Executor::slots).containsOnly(2);

      Mllib training = training(spark, new LogisticGradient());
      Mllib.assertSame(training.trainBySparkAta(null), stock);

      assertThat(samplesByHost(written, 1))
          .hasSize(3)
          .allSatisfy((host, n) -> assertThat(n).isPositive());
      assertThat(addressesComputedOn(written)).containsOnlyKeys("0 for 0", "1 for 1");
      assertThat(linesOf(written, "open"))
          .containsExactlyInAnyOrder("open 0", "open 1", "open 0", "open 1");

      long before = linesOf(written, "compute").size();
      Mllib users = training(spark, new UserGradient()); // no kernel on the GPU
      Mllib.assertSame(users.trainBySparkAta(null), stockOfUsers);
      assertThat(linesOf(written, "compute")).hasSize((int) before);

      assertThat(statements(log))
          .containsExactlyInAnyOrder(
              GPU_HOST
                  + " computes with test GPU at GPU address 0, test GPU at GPU address 1 or, where that has no kernel, CPU",
              OTHER_GPU_HOST
                  + " computes with test GPU at GPU address 0, test GPU at GPU address 1 or, where that has no kernel, CPU",
              CPU_HOST
                  + " computes with CPU; not with GPU address none-0: a stand-in address: this"
                  + " machine has no GPU; not with GPU address none-1: a stand-in address: this"
                  + " machine has no GPU");
    }
  }

  /** Two tasks share an address. The stand-in's executor packs, and serves its blocks to others. */
  @Test
  void train_required_onlyExecutorsWithGpuGetSamples() throws IOException {
    Path written = Files.createDirectory(folder.resolve("required"));
    Map<String, String> settings =
        Map.of("spark.ata.gpu", "required", "spark.memory.fraction", "0.02");
    try (CapturedLog log = CapturedLog.atDebug("io.sparkata");
        JavaSparkContext spark = start(written, settings, /* perExecutor= */ 1, "0.5", "")) {
      awaitStatements(log);
      Mllib training = training(spark, new LogisticGradient());
      Mllib.assertSame(training.trainBySparkAta(null), stock);

      assertThat(samplesByHost(written, 1)).containsOnlyKeys(GPU_HOST, OTHER_GPU_HOST);
      assertThat(addressesComputedOn(written).keySet())
          .allSatisfy(use -> assertThat(use).isIn("0 for 0", "1 for 1"));

      assertThatThrownBy(() -> withProfile(training).trainBySparkAta(null))
          .isInstanceOf(GpuRequiredException.class)
          .hasMessageContaining("required: the data ask for a resource profile of their own. Set");
      assertThatThrownBy(() -> tooLarge(spark).trainBySparkAta(null))
          .isInstanceOf(GpuRequiredException.class)
          .hasMessageContaining(
              "required: there is no room in free storage memory for a packed block of");
    }
  }

  @Test
  @Tag("nightly") // CapabilityReportsTest has the message
  void train_requiredAndNoneUsable_failsWithEachExecutorAddressAndCause() throws IOException {
    Path written = Files.createDirectory(folder.resolve("none"));
    Map<String, String> settings =
        Map.of(
            "spark.ata.gpu", "required",
            "spark.ata.onError", "fallback",
            "spark.scheduler.maxRegisteredResourcesWaitingTime", "1s");
    try (CapturedLog log = CapturedLog.atDebug("io.sparkata");
        JavaSparkContext spark = start(written, settings, /* perExecutor= */ 1, "1", "0,1")) {
      awaitStatements(log);

      assertThatThrownBy(() -> training(spark, new LogisticGradient()).trainBySparkAta(null))
          .isInstanceOf(GpuRequiredException.class)
          .hasMessageStartingWith(
              "Cannot train with spark.ata.gpu=required: no executor has a usable GPU after 1 s of"
                  + " waiting (executor ")
          .hasMessageContaining(GPU_HOST + ", address 0: test GPUs: refused on purpose")
          .hasMessageContaining(OTHER_GPU_HOST + ", address 0: test GPUs: refused on purpose")
          .hasMessageContaining(
              CPU_HOST + ", address none-0: a stand-in address: this machine has no GPU")
          .hasMessageEndingWith(
              "). Set spark.ata.gpu=auto to compute on the CPU where there is no usable GPU");
      assertThat(runtime(spark).counters().fallbacks).hasValue(0);
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  /** Both at some time of the first training, which ends when the last one has failed. */
  @Test
  void train_requiredAndGpusFailInMidRun_getNoMoreSamplesAndNameTheCause() throws IOException {
    Path written = Files.createDirectory(folder.resolve("failing"));
    Map<String, String> settings =
        Map.of(
            "spark.ata.gpu", "required",
            "spark.scheduler.maxRegisteredResourcesWaitingTime", "1s");
    try (CapturedLog log = CapturedLog.atDebug("io.sparkata");
        JavaSparkContext spark =
            start(written, settings, /* perExecutor= */ 1, "1", "", /* lasts= */ 5)) {
      awaitStatements(log);
      List<TrainingEnded> ended = new CopyOnWriteArrayList<>();
      spark
          .sc()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onOtherEvent(SparkListenerEvent event) {
                  if (event instanceof TrainingEnded one) {
                    ended.add(one);
                  }
                }
              });

      assertThatThrownBy(() -> training(spark, new LogisticGradient()).trainBySparkAta(null))
          .isInstanceOf(GpuRequiredException.class)
          .hasMessageContaining(
              GPU_HOST + ", address 0: test GPUs: failed in mid-run: failed on purpose")
          .hasMessageContaining(
              OTHER_GPU_HOST + ", address 0: test GPUs: failed in mid-run: failed on purpose");
      assertThat(devices(spark).values()).containsOnly(Device.CPU);
      SparkListeners.awaitListeners(spark.sc(), /* millis= */ 10_000);
      assertThat(ended).hasSize(1);
      assertThat(ended.get(0).rounds()).isPositive();
      assertThat(ended.get(0).outcome()).isEqualTo(TrainingEnded.Outcome.FAILED);
    }
  }

  private JavaSparkContext start(
      Path written, Map<String, String> settings, int perExecutor, String perTask, String refused) {
    return start(written, settings, perExecutor, perTask, refused, /* lasts= */ -1);
  }

  private JavaSparkContext start(
      Path written,
      Map<String, String> settings,
      int perExecutor,
      String perTask,
      String refused,
      int lasts) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("spark-ata-gpu-test")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.extraClassPath", SparkArchive.classPath())
            .set(
                "spark.executor.extraJavaOptions",
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 "
                    + String.join(" ", SparkArchive.jvmOptions())
                    + " -D"
                    + TestGpus.FOLDER
                    + "="
                    + written
                    + " -D"
                    + TestGpus.REFUSED
                    + "="
                    + refused
                    + " -D"
                    + TestGpus.LASTS
                    + "="
                    + lasts)
            .set("spark.executor.resource.gpu.amount", "" + perExecutor)
            .set("spark.task.resource.gpu.amount", perTask)
            .set("spark.plugins", "io.sparkata.AtaPlugin")
            .set("spark.ata.enabled", "true")
            .set("spark.ata.onError", "fail")
            .set("spark.ata.report", "off")
            .set("spark.ata.blockSize", "16k")
            .set("spark.ata.roundLog.path", written.resolve("rounds").toUri().toString())
            .set("spark.ata.route", "none");
    settings.forEach(conf::set);
    return new JavaSparkContext(conf);
  }

  private static AtaRuntime runtime(JavaSparkContext spark) {
    return AtaRuntime.of(spark.sc()).orElseThrow();
  }

  private static Mllib training(JavaSparkContext spark, Gradient gradient) {
    return new Mllib(
        TestData.partitions(spark, TestData.rows(3000, FEATURES, false, 1), 6),
        gradient,
        /* fraction= */ 0.5,
        /* iterations= */ 10,
        FEATURES);
  }

  private static Mllib withProfile(Mllib training) {
    RDD<Tuple2<Object, Vector>> data =
        training
            .data()
            .toJavaRDD()
            .withResources(
                new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(1)).build())
            .map(row -> row) // as MLlib's callers do: the profile is that of a parent
            .rdd();
    return new Mllib(data, training.gradient(), 0.5, 3, FEATURES);
  }

  private static Mllib tooLarge(JavaSparkContext spark) {
    return new Mllib(
        TestData.generated(spark, 60_000, FEATURES, 6), new LogisticGradient(), 0.5, 3, FEATURES);
  }

  private static Map<String, Device> devices(JavaSparkContext spark) {
    Map<String, Device> devices = new TreeMap<>();
    runtime(spark)
        .cluster()
        .live()
        .forEach(executor -> devices.put(executor.host(), executor.device()));
    return devices;
  }

  private static void awaitStatements(CapturedLog log) {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> statements(log).size() == 3);
  }

  /** From the driver's log, without executors' ids. */
  private static List<String> statements(CapturedLog log) {
    return log.messages(Level.DEBUG).stream()
        .filter(line -> line.contains(" computes with "))
        .map(line -> line.replaceFirst("^Spark ATA: executor \\d on ", ""))
        .map(line -> line.replaceAll("vectors of \\d+ bits|plain Java loops", "CPU"))
        .toList();
  }

  /** Of all rounds of a training. */
  private static Map<String, Long> samplesByHost(Path written, int call) throws IOException {
    Map<String, Long> samples = new TreeMap<>();
    for (String line : linesOf(written.resolve("rounds"), "{")) {
      JsonNode round = new ObjectMapper().readTree(line);
      if (round.get("call").asInt() == call) {
        round
            .get("workers")
            .forEach(
                worker ->
                    samples.merge(
                        worker.get("host").asText(), worker.get("samples").asLong(), Long::sum));
      }
    }
    return samples;
  }

  /** "device for the task's addresses", with how often. */
  private static Map<String, Integer> addressesComputedOn(Path written) throws IOException {
    Map<String, Integer> uses = new TreeMap<>();
    for (String line : linesOf(written, "compute")) {
      Matcher use = COMPUTED.matcher(line);
      assertThat(use.matches()).as(line).isTrue();
      uses.merge(use.group(1) + " for " + use.group(2), 1, Integer::sum);
    }
    assertThat(uses).isNotEmpty();
    return uses;
  }

  private static List<String> linesOf(Path files, String start) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> all = Files.list(files)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        Files.readAllLines(file).stream().filter(l -> l.startsWith(start)).forEach(lines::add);
      }
    }
    return lines;
  }
}
