package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.OnPlainSpark;
import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.PlainSpark.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Submits an application compiled against plain Spark, by spark-submit with the documented flags.
 * It runs on a standalone cluster of separate JVMs, or in local mode if only the driver matters.
 */
class DropInIT extends OnPlainSpark {
  private static final Path PLUGIN_JAR = Path.of(System.getProperty("ata.pluginJar"));
  private static final int ROUNDS = 16;
  private static final List<String> ON =
      List.of("--conf", "spark.plugins=io.sparkata.AtaPlugin", "--conf", "spark.ata.enabled=true");
  private static final String NO_ATTACH = "-XX:+DisableAttachMechanism";

  private String master;

  DropInIT() {
    super("PlainApp");
  }

  @BeforeAll
  void trainWithStockSpark() throws Exception {
    master = spark.startCluster(2);
    Path weights = output(); // of any cluster, up to rounding
    Run run = spark.submit(List.of(), localApp(weights, /* contexts= */ 1));
    assertThat(run.status()).as(run.log()).isZero();
    stock = read(weights);
  }

  @Test
  void submit_pluginAmongJars_givesStockWeights() throws Exception {
    assertGivesStockWeights("client");
  }

  @Test
  @Tag("nightly")
  void submit_pluginAmongJarsInClusterMode_givesStockWeights() throws Exception {
    assertGivesStockWeights("cluster");
  }

  private void assertGivesStockWeights(String mode) throws Exception {
    List<String> flags = new ArrayList<>(List.of("--jars", PLUGIN_JAR.toString()));
    flags.addAll(ON);
    assertStock(trainOnCluster(mode, flags));
  }

  @Test
  @Tag("nightly")
  void submit_pluginOnExtraClassPath_givesStockWeights() throws Exception {
    List<String> flags = new ArrayList<>(ON);
    flags.addAll(List.of("--conf", "spark.driver.extraClassPath=" + PLUGIN_JAR));
    flags.addAll(List.of("--conf", "spark.executor.extraClassPath=" + PLUGIN_JAR));
    assertStock(trainOnCluster("cluster", flags));
  }

  @Test
  @Tag("nightly")
  void submit_pluginAmongSparksJars_givesStockWeights() throws Exception {
    Path link = spark.putJar(PLUGIN_JAR);
    try {
      assertStock(trainOnCluster("client", ON));
    } finally {
      Files.delete(link);
    }
  }

  @Test
  @Tag("nightly")
  void submit_severalContexts_eachIsRouted() throws Exception {
    Run run = trainLocally(List.of(), List.of(), 2);
    assertThat(closingLines(run.log())).containsExactly(routed(1), routed(1));
  }

  @Test
  void submit_attachingForbidden_trainsByMllibAndTheAdviceHelps() throws Exception {
    Run run = trainLocally(List.of(NO_ATTACH), List.of(), 1);
    assertThat(closingLines(run.log()))
        .containsExactly("calls=0 routed=0 rounds=0 byMessage=0 passedThrough=0 fallbacks=0");
    Matcher advice =
        Pattern.compile(
                "WARN Routes: Spark ATA: cannot route gradientDescent,lbfgs \\(.*\\)\\. Spark alone"
                    + " runs these trainings; AtaGradientDescent is not affected\\. Add"
                    + " --driver-java-options (-javaagent:\\S+) to spark-submit, or set"
                    + " spark\\.ata\\.route=none")
            .matcher(run.log());
    assertThat(advice.find()).as(run.log()).isTrue();

    Run again = trainLocally(List.of(NO_ATTACH, advice.group(1)), List.of(), 1);
    assertThat(closingLines(again.log())).containsExactly(routed(1));
    assertThat(again.log()).doesNotContain("cannot route");
  }

  @Test
  @Tag("nightly")
  void submit_attachingForbiddenAndOnErrorFail_failsWithTheAdvice() throws Exception {
    Run run =
        submitLocally(List.of(NO_ATTACH), List.of("--conf", "spark.ata.onError=fail"), output(), 1);
    assertThat(run.status()).isNotZero();
    assertThat(run.log())
        .contains(
            "java.lang.IllegalStateException: Spark ATA: cannot route gradientDescent,lbfgs (")
        .contains("Add --driver-java-options -javaagent:" + PLUGIN_JAR + " to spark-submit");
  }

  @Test
  @Tag("nightly")
  void submit_attachingForbiddenAndRouteOff_saysNothing() throws Exception {
    Run run = trainLocally(List.of(NO_ATTACH), List.of("--conf", "spark.ata.route=none"), 1);
    assertThat(run.log()).doesNotContain("cannot route");
  }

  /** The plugin is then in a class loader that does not ask Spark's first, but for Spark. */
  @Test
  @Tag("nightly")
  void submit_usersClassesFirst_isRoutedAlsoThroughTheAgent() throws Exception {
    List<String> first = List.of("--conf", "spark.driver.userClassPathFirst=true");
    for (List<String> jvm :
        List.of(List.<String>of(), List.of(NO_ATTACH, "-javaagent:" + PLUGIN_JAR))) {
      Run run = trainLocally(jvm, first, 1);
      assertThat(run.log()).contains("Spark ATA packing"); // log4j keeps our own lines from here
    }
  }

  private static String routed(int calls) {
    return "calls="
        + calls
        + " routed="
        + calls
        + " rounds="
        + calls * ROUNDS
        + " byMessage=0 passedThrough=0 fallbacks=0";
  }

  private static List<String> closingLines(String log) {
    return Pattern.compile("AtaRuntime: Spark ATA: (calls=.*)")
        .matcher(log)
        .results()
        .map(line -> line.group(1).trim())
        .toList();
  }

  private Vector trainOnCluster(String mode, List<String> flags) throws Exception {
    Path weights = output();
    List<String> arguments = new ArrayList<>(List.of("--master", master, "--deploy-mode", mode));
    arguments.addAll(flags);
    arguments.addAll(List.of("--executor-memory", "512m", "--driver-memory", "512m"));
    arguments.addAll(List.of("--conf", "spark.cores.max=2", "--executor-cores", "1"));
    String jvm = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"; // short runs on few cores
    arguments.addAll(
        List.of("--conf", "spark.driver.extraJavaOptions=" + PlainSpark.jvmOptions() + " " + jvm));
    arguments.addAll(List.of("--conf", "spark.executor.extraJavaOptions=" + jvm));
    arguments.addAll(List.of("--class", "PlainApp", app.toString(), weights.toString(), "3", "1"));
    int linesBefore = closingLines(spark.logOfDrivers()).size();
    Run run = spark.submit(List.of(), arguments);
    assertThat(run.status()).as(run.log()).isZero();
    if (mode.equals("cluster")) { // spark-submit does not wait for the driver
      Awaitility.await()
          .atMost(Duration.ofMinutes(5))
          .until(
              () ->
                  Files.exists(weights) && closingLines(spark.logOfDrivers()).size() > linesBefore);
    }
    String log = mode.equals("cluster") ? spark.logOfDrivers() : run.log();
    List<String> lines = closingLines(log);
    String expected = routed(1).replace("byMessage=0", "byMessage=[1-9][0-9]*"); // as it pays
    assertThat(lines.get(lines.size() - 1)).matches(expected);
    return read(weights);
  }

  private Run trainLocally(List<String> jvm, List<String> flags, int contexts) throws Exception {
    Path weights = output();
    Run run = submitLocally(jvm, flags, weights, contexts);
    assertThat(run.status()).as(run.log()).isZero();
    double[] all = read(weights).toArray();
    for (int i = 0; i < contexts; i++) {
      assertStock(Vectors.dense(Arrays.copyOfRange(all, i * stock.size(), (i + 1) * stock.size())));
    }
    return run;
  }

  private Run submitLocally(List<String> jvm, List<String> flags, Path weights, int contexts)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--jars", PLUGIN_JAR.toString()));
    arguments.addAll(ON);
    arguments.addAll(List.of("--conf", "spark.ata.passThrough=never"));
    arguments.addAll(flags);
    arguments.addAll(localApp(weights, contexts));
    return spark.submit(jvm, arguments);
  }

  private List<String> localApp(Path weights, int contexts) {
    return List.of(
        "--master",
        "local[2]",
        "--class",
        "PlainApp",
        app.toString(),
        weights.toString(),
        "1",
        Integer.toString(contexts));
  }
}
