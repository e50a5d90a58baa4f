package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.sparkata.cluster.ExecutorCapabilities;
import io.sparkata.kernel.Kernels;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.LocalSpark;
import io.sparkata.testing.TestGpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an executor opens, states and logs. The test's GPUs are on the class path. */
@Tag("spark")
class AtaExecutorPluginTest {
  private static JavaSparkContext spark;

  @TempDir private Path written;

  private final FakeContext context = new FakeContext();

  @BeforeAll
  static void start() {
    spark = LocalSpark.startPlain(Map.of());
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void writeDown() {
    System.setProperty(TestGpus.FOLDER, written.toString());
  }

  @AfterEach
  void stopWriting() {
    System.clearProperty(TestGpus.FOLDER);
  }

  @Test
  void init_gpusAssigned_statesAndLogsOnceWhatItUses() throws IOException {
    context.assign("0", "none-0");

    assertThat(initAndShutDown())
        .containsExactly(
            "INFO Spark ATA: executor 7 on HOST computes with test GPU at GPU address 0 or, where"
                + " that has no kernel, BLAS; not with GPU address none-0: a stand-in address: this"
                + " machine has no GPU");
    assertThat(doneToGpus()).containsExactly("open 0", "close 0");
    assertThat(context.asked)
        .singleElement()
        .satisfies(
            message ->
                assertThat(ExecutorCapabilities.of(message).causes())
                    .containsEntry("0", "")
                    .containsEntry("none-0", "a stand-in address: this machine has no GPU"));
  }

  @Test
  void init_noneAssigned_statesTheCpusKernel() {
    assertThat(initAndShutDown())
        .containsExactly("INFO Spark ATA: executor 7 on HOST computes with BLAS");
    assertThat(ExecutorCapabilities.of(context.asked.get(0)).causes()).isEmpty();
  }

  @Test
  void init_tasksGetNoAddress_opensNoneAndSaysWhatToSet() throws IOException {
    context.assign("0");
    context.conf.remove("spark.task.resource.gpu.amount");

    assertThat(initAndShutDown())
        .containsExactly(
            "INFO Spark ATA: executor 7 on HOST computes with BLAS; not with GPU address 0: Spark"
                + " assigns it to no task, set spark.task.resource.gpu.amount");
    assertThat(doneToGpus()).isEmpty();
  }

  @Test
  void init_off_neverLooksAtResources() {
    context.conf.set("spark.ata.gpu", "off");
    context.resources = null;

    assertThat(initAndShutDown())
        .containsExactly("INFO Spark ATA: executor 7 on HOST computes with BLAS");
  }

  @Test
  void init_disabled_saysNothing() {
    context.conf.set("spark.ata.enabled", "false");

    assertThat(initAndShutDown()).isEmpty();
    assertThat(context.asked).isEmpty();
  }

  @Test
  void init_driverDoesNotHear_computesOnTheCpuWithOneWarning() throws IOException {
    context.assign("0");
    context.isDeaf = true;

    assertThat(initAndShutDown())
        .containsExactly(
            "WARN Spark ATA: executor 7 cannot report to the driver what it computes with"
                + " (java.io.IOException: deaf); it computes with BLAS");
    assertThat(doneToGpus()).containsExactly("open 0", "close 0");
  }

  @Test
  void fail_gpuInMidRun_isReportedToTheDriver() {
    context.assign("0", "1");
    AtaExecutorPlugin plugin = new AtaExecutorPlugin();
    plugin.init(context, Map.of());

    TestGpus.fail("0", "fell off the bus");

    assertThat(context.sent)
        .singleElement()
        .satisfies(
            message -> {
              ExecutorCapabilities statement = ExecutorCapabilities.of(message);
              assertThat(statement.causes())
                  .containsEntry("0", "test GPUs: failed in mid-run: fell off the bus")
                  .containsEntry("1", "");
              assertThat(statement.kernel())
                  .startsWith("test GPU at GPU address 1 or, where that has no kernel, ");
            });
    plugin.shutdown();
  }

  @Test
  void fail_driverCannotBeReached_warns() {
    context.assign("0");
    AtaExecutorPlugin plugin = new AtaExecutorPlugin();
    plugin.init(context, Map.of());
    context.isDeaf = true;
    try (CapturedLog log = CapturedLog.of("io.sparkata.AtaExecutorPlugin")) {
      TestGpus.fail("0", "fell off the bus");

      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: executor 7 cannot report to the driver that a GPU has failed"
                  + " (java.io.IOException: deaf); its times count as that GPU's. Set"
                  + " spark.ata.gpu=off where GPUs fail");
    }
    plugin.shutdown();
  }

  private List<String> doneToGpus() throws IOException {
    Path file = written.resolve(ProcessHandle.current().pid() + ".txt");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private List<String> initAndShutDown() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.AtaExecutorPlugin")) {
      AtaExecutorPlugin plugin = new AtaExecutorPlugin();
      plugin.init(context, Map.of());
      plugin.shutdown();
      List<String> lines = new ArrayList<>();
      for (Level level : List.of(Level.INFO, Level.WARN)) {
        for (String message : log.messages(level)) {
          lines.add(
              level
                  + " "
                  + message
                      .replaceFirst(" on \\S+ computes", " on HOST computes")
                      .replace(Kernels.backend(), "BLAS"));
        }
      }
      return lines;
    }
  }

  private static final class FakeContext implements PluginContext {
    private final SparkConf conf =
        new SparkConf(false)
            .set("spark.ata.enabled", "true")
            .set("spark.task.resource.gpu.amount", "1");
    private final List<Object> asked = new ArrayList<>();
    private final List<Object> sent = new ArrayList<>();
    private Map<String, ResourceInformation> resources = new HashMap<>();
    private boolean isDeaf;

    void assign(String... addresses) {
      resources.put("gpu", new ResourceInformation("gpu", addresses));
    }

    @Override
    public MetricRegistry metricRegistry() {
      return new MetricRegistry();
    }

    @Override
    public SparkConf conf() {
      return conf;
    }

    @Override
    public String executorID() {
      return "7";
    }

    @Override
    public String hostname() {
      throw new UnsupportedOperationException("Spark fails in it on executors");
    }

    @Override
    public Map<String, ResourceInformation> resources() {
      if (resources == null) {
        throw new AssertionError("must not be read");
      }
      return resources;
    }

    @Override
    public void send(Object message) throws IOException {
      if (isDeaf) {
        throw new IOException("deaf");
      }
      sent.add(message);
    }

    @Override
    public Object ask(Object message) throws IOException {
      if (isDeaf) {
        throw new IOException("deaf");
      }
      asked.add(message);
      return true;
    }
  }
}
