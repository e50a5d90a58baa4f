package io.sparkata;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.PlainSpark;
import io.sparkata.testing.PlainSpark.Run;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberRemoval;
import org.apache.spark.SparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar where it does not fit: applications end as with Spark alone, with one WARN, or with the
 * exception that the user asked for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GateIT {
  private static final Path PLUGIN_JAR = Path.of(System.getProperty("ata.pluginJar"));
  private static final String BUILD = "META-INF/spark-ata.properties";
  private static final String SCALA = System.getProperty("ata.scalaVersion");
  private static final String OTHER_SCALA = SCALA.equals("2.13") ? "2.12" : "2.13";
  private static final String FAIL = "spark.ata.onError=fail";
  private static final String ON = "spark.ata.enabled=true";

  @TempDir private static Path folder;

  private PlainSpark spark;
  private Path app;
  private Vector stock;
  private String version;
  private int runs;

  @BeforeAll
  void trainWithStockSpark() throws Exception {
    spark = new PlainSpark(folder);
    app = spark.compile("PlainApp");
    Path output = output();
    Run run = spark.submit(List.of(), arguments(Path.of("none"), List.of(), output));
    assertThat(run.status()).as(run.log()).isZero();
    stock = read(output);
    version = build(PLUGIN_JAR).getProperty("version");
  }

  @AfterAll
  void close() throws IOException {
    spark.close();
  }

  /** A doctored one and, where scripts/test --all has built it, the real one. */
  @Test
  void submit_jarOfAnotherScala_isStockOrTheExceptionWithTheArtifactToTake() throws Exception {
    List<Path> jars = new ArrayList<>(List.of(doctored("scala", OTHER_SCALA)));
    String real = System.getProperty("ata.otherJar", "");
    if (!real.isEmpty()) {
      jars.add(Path.of(real));
    }
    for (Path jar : jars) {
      String cause =
          "this jar, spark-ata_"
              + OTHER_SCALA
              + " "
              + version
              + ", does not fit: Spark runs on Scala "
              + SCALA
              + " here, and it is for Scala "
              + OTHER_SCALA;
      String remedy = "Take io.sparkata:spark-ata_" + SCALA + ":" + version + " instead";
      assertLeftToSpark(jar, cause, remedy);

      Run failed = submit(jar, List.of(ON, FAIL));
      assertThat(failed.status()).isNotZero();
      assertThat(failed.log())
          .contains(
              "java.lang.IllegalStateException: Spark ATA cannot start: " + cause + ". " + remedy);
    }
  }

  /** As a vendor's Spark would be: its version is in no list, and the self-test decides. */
  @Test
  void submit_sparkThatNoTestCovers_isOnAndSaysSo() throws Exception {
    Run run = train(doctored("testedSparks", "none"), List.of(ON));
    assertThat(run.log())
        .contains(
            "Spark ATA "
                + version
                + " is on (not tested with Spark "
                + sparkVersion()
                + "; self-test passed): mode=train");
    assertThat(warnings(run.log())).isEmpty();
  }

  @Test
  @Tag("nightly") // GateTest has how the version of Java is read
  void submit_olderJava_isStockWithThePlacesOfJavaHome() throws Exception {
    assertLeftToSpark(
        doctored("java", "99"),
        "this jar, spark-ata_"
            + SCALA
            + " "
            + version
            + ", does not fit: Java "
            + PlainSpark.javaVersion()
            + " runs here, and it needs Java 99 or later",
        "Set JAVA_HOME to such a Java for the driver and every executor (on YARN by"
            + " spark.yarn.appMasterEnv.JAVA_HOME and spark.executorEnv.JAVA_HOME)");
  }

  @Test
  @Tag("nightly") // GateTest has what is missing
  void submit_sparkWithoutAMethod_isStockWithTheMethod() throws Exception {
    Path patched = sparkWithoutAddJobTag();
    Path link = spark.putJar(patched); // the first of Spark's jars by name
    try {
      assertLeftToSpark(
          PLUGIN_JAR,
          "this jar, spark-ata_"
              + SCALA
              + " "
              + version
              + ", does not fit: Spark "
              + sparkVersion()
              + " lacks what it calls: org.apache.spark.SparkContext.addJobTag(String)",
          "Use a Spark that it is tested with ("
              + build(PLUGIN_JAR).getProperty("testedSparks").replace(",", ", ")
              + ")");
    } finally {
      Files.delete(link);
    }
  }

  @Test
  @Tag("nightly")
  void submit_sparkWithoutMllib_runsAndSaysSo() throws Exception {
    Path other = Files.createDirectories(folder.resolve("core"));
    try (PlainSpark core = new PlainSpark(other, List.of("spark-mllib"))) {
      Path coreApp = core.compile("CoreApp");
      Run run = core.submit(List.of(), arguments(PLUGIN_JAR, List.of(ON), "CoreApp", coreApp));
      assertThat(run.status()).as(run.log()).isZero();
      assertThat(run.log()).contains("counted 3");
      assertThat(warnings(run.log()))
          .containsExactly(
              "Spark ATA: this jar, spark-ata_"
                  + SCALA
                  + " "
                  + version
                  + ", does not fit: the class path lacks MLlib, which it works for; everything"
                  + " trains by Spark alone. Add org.apache.spark:spark-mllib_"
                  + SCALA
                  + ":"
                  + sparkVersion()
                  + " to the class path, or set spark.ata.enabled=false");
    }
  }

  @Test
  void checkFit_anyJar_saysWhetherItFits() throws Exception {
    Run fits = spark.run(PLUGIN_JAR, "io.sparkata.gate.CheckFit");
    assertThat(fits.status()).as(fits.log()).isZero();
    assertThat(fits.log())
        .contains("spark-ata_" + SCALA + " " + version + " fits Spark " + sparkVersion());

    Run misfit = spark.run(doctored("scala", OTHER_SCALA), "io.sparkata.gate.CheckFit");
    assertThat(misfit.status()).isEqualTo(1);
    assertThat(misfit.log())
        .contains("does not fit: Spark runs on Scala " + SCALA + " here, and it is for Scala");
  }

  @Test
  @Tag("nightly") // AtaPluginTest has both
  void submit_badValueOfAKey_isStockOrTheException() throws Exception {
    String bad = "spark.ata.policy.seed=seven";
    String message = "Invalid spark.ata.policy.seed: 'seven' (a whole number)";
    Run run = train(PLUGIN_JAR, List.of(ON, bad));
    assertThat(warnings(run.log()))
        .containsExactly(
            "Spark ATA: cannot start ("
                + message
                + "); everything trains by Spark alone. Set spark.ata.onError=fail to have the"
                + " exception instead, or spark.ata.enabled=false");

    Run failed = submit(PLUGIN_JAR, List.of(ON, bad, FAIL));
    assertThat(failed.status()).isNotZero();
    assertThat(failed.log()).contains("java.lang.IllegalArgumentException: " + message);
  }

  @Test
  @Tag("nightly") // AtaPluginTest has it switched off
  void submit_misfitButSwitchedOff_saysNothing() throws Exception {
    Run run = train(doctored("java", "99"), List.of("spark.ata.enabled=false", FAIL));
    assertThat(run.log()).doesNotContain("Spark ATA");
  }

  @Test
  @Tag("nightly") // PartsTest has the executor's side
  void submit_executorsOfAnOlderJava_isStockWithTheirWarnings() throws Exception {
    Path doctored = doctored("java", "99");
    String master = spark.startCluster(1);
    Path output = output();
    List<String> arguments = new ArrayList<>(List.of("--master", master));
    arguments.addAll(List.of("--executor-memory", "512m", "--executor-cores", "1"));
    arguments.addAll(List.of("--conf", "spark.executor.extraClassPath=" + doctored));
    arguments.addAll(settings(PLUGIN_JAR, List.of(ON)));
    arguments.addAll(List.of("--class", "PlainApp", app.toString(), output.toString(), "3", "1"));

    Run run = spark.submit(List.of(), arguments);

    assertThat(run.status()).as(run.log()).isZero();
    assertStock(output);
    assertThat(warnings(run.log()))
        .singleElement()
        .asString()
        .matches(
            Pattern.quote("Spark ATA: executor ")
                + "\\d on 127\\.0\\.0\\.2 cannot take part: this jar, .* does not fit: Java \\d+ runs"
                + " here, and it needs Java 99 or later\\. Set JAVA_HOME .*; trainings are left to"
                + " Spark\\. Give every executor the Java and the jar of the driver");
  }

  /** Ends as stock, with one WARN. */
  private void assertLeftToSpark(Path jar, String cause, String remedy) throws Exception {
    Run run = train(jar, List.of(ON));
    assertThat(warnings(run.log()))
        .containsExactly(
            "Spark ATA: "
                + cause
                + "; everything trains by Spark alone. "
                + remedy
                + ", or set spark.ata.enabled=false");
  }

  private Run train(Path jar, List<String> conf) throws Exception {
    Path output = output();
    Run run = spark.submit(List.of(), arguments(jar, conf, output));
    assertThat(run.status()).as(run.log()).isZero();
    assertStock(output);
    return run;
  }

  private Run submit(Path jar, List<String> conf) throws Exception {
    return spark.submit(List.of(), arguments(jar, conf, output()));
  }

  private void assertStock(Path weights) throws IOException {
    double difference = Math.sqrt(Vectors.sqdist(read(weights), stock));
    assertThat(difference / Vectors.norm(stock, 2)).isLessThanOrEqualTo(1e-9);
  }

  private static Vector read(Path weights) throws IOException {
    return Vectors.dense(
        Files.readAllLines(weights).stream().mapToDouble(Double::parseDouble).toArray());
  }

  private List<String> arguments(Path jar, List<String> conf, Path output) {
    List<String> arguments = arguments(jar, conf, "PlainApp", app);
    arguments.addAll(List.of(output.toString(), "1", "1"));
    return arguments;
  }

  private static List<String> arguments(Path jar, List<String> conf, String main, Path app) {
    List<String> arguments = new ArrayList<>(List.of("--master", "local[2]"));
    arguments.addAll(settings(jar, conf));
    arguments.addAll(List.of("--class", main, app.toString()));
    return arguments;
  }

  private static List<String> settings(Path jar, List<String> conf) {
    List<String> settings = new ArrayList<>();
    if (Files.exists(jar)) {
      settings.addAll(List.of("--jars", jar.toString()));
      settings.addAll(List.of("--conf", "spark.plugins=io.sparkata.AtaPlugin"));
    }
    settings.addAll(List.of("--conf", "spark.ata.report=off"));
    conf.forEach(one -> settings.addAll(List.of("--conf", one)));
    return settings;
  }

  private Path output() {
    return folder.resolve("weights-" + runs++);
  }

  private static List<String> warnings(String log) {
    return Pattern.compile(" (?:WARN|ERROR) [^:]+: (.*Spark ATA.*)")
        .matcher(log)
        .results()
        .map(line -> line.group(1).trim())
        .toList();
  }

  private static String sparkVersion() {
    return org.apache.spark.package$.MODULE$.SPARK_VERSION();
  }

  private static Properties build(Path jar) throws IOException {
    Properties properties = new Properties();
    try (JarFile file = new JarFile(jar.toFile());
        InputStream in = file.getInputStream(file.getJarEntry(BUILD))) {
      properties.load(in);
    }
    return properties;
  }

  /** Our jar, as if it had been built for something else. */
  private Path doctored(String name, String value) throws IOException {
    Path jar = folder.resolve("spark-ata-" + name + "-" + value + ".jar");
    UnaryOperator<String> change =
        text -> text.replaceAll("(?m)^" + name + "=.*", name + "=" + value);
    try (JarFile from = new JarFile(PLUGIN_JAR.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
      for (JarEntry entry : from.stream().toList()) {
        to.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream in = from.getInputStream(entry)) {
          byte[] bytes = in.readAllBytes();
          to.write(
              entry.getName().equals(BUILD)
                  ? change
                      .apply(new String(bytes, StandardCharsets.UTF_8))
                      .getBytes(StandardCharsets.UTF_8)
                  : bytes);
        }
        to.closeEntry();
      }
    }
    assertThat(build(jar).getProperty(name)).isEqualTo(value);
    return jar;
  }

  /** As a vendor might patch it: a jar with one class, to be put in front of Spark's own. */
  private static Path sparkWithoutAddJobTag() throws IOException {
    Path jar = folder.resolve("a-patched-spark.jar");
    try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
      to.putNextEntry(new JarEntry("org/apache/spark/SparkContext.class"));
      to.write(
          new ByteBuddy()
              .redefine(SparkContext.class)
              .visit(new MemberRemoval().stripMethods(named("addJobTag")))
              .make()
              .getBytes());
      to.closeEntry();
    }
    return jar;
  }
}
