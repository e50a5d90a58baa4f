package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.spark.launcher.JavaModuleOptions;
import org.awaitility.Awaitility;

/**
 * A Spark installation without a trace of ours, in a folder: its jars are those of the test's class
 * path. Everything runs in JVMs of its own, of the java that {@code -Data.java=<file>} names or the
 * test's own.
 */
public final class PlainSpark implements AutoCloseable {
  private static final long SUBMIT_SECONDS = 600;

  /** The status of a run that did not end in time. */
  public static final int UNENDED = -1;

  private final Path folder;
  private final Path home;
  private final List<Process> daemons = new ArrayList<>();
  private int runs;

  /** What a run said and how it ended. */
  public record Run(int status, String log) {}

  /** Lays the installation out in {@code folder}. */
  public PlainSpark(Path folder) throws IOException {
    this(folder, List.of());
  }

  /**
   * The same without some of its jars.
   *
   * @param absent how their names begin
   */
  public PlainSpark(Path folder, List<String> absent) throws IOException {
    this.folder = folder;
    this.home = folder.resolve("spark-home");
    Files.createDirectories(home.resolve("jars"));
    for (Path jar : SparkArchive.jars()) {
      if (absent.stream().noneMatch(jar.getFileName().toString()::startsWith)) {
        putJar(jar);
      }
    }
  }

  /** Puts a jar among Spark's own. */
  public Path putJar(Path jar) throws IOException {
    return Files.createSymbolicLink(home.resolve("jars").resolve(jar.getFileName()), jar);
  }

  /** Its folder. */
  public Path home() {
    return home;
  }

  /** Class path of Spark's own jars. */
  public String classPath() throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.sorted().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  /**
   * The jar of an application, compiled with nothing but Spark on the class path.
   *
   * @param name of its class, whose source is in the folder dropin of the test resources
   */
  public Path compile(String name) throws IOException {
    Path source = folder.resolve(name + ".java");
    try (InputStream in = PlainSpark.class.getResourceAsStream("/dropin/" + name + ".java")) {
      Files.copy(in, source);
    }
    assertThat(source).content().doesNotContainIgnoringCase("sparkata");
    Path classes = Files.createDirectories(folder.resolve("classes-" + name));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                /* in= */ null,
                said,
                said,
                "-proc:none",
                "-cp",
                classPath(),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
    Path jar = folder.resolve(name + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.list(classes)) {
      for (Path file : files.toList()) {
        out.putNextEntry(new JarEntry(file.getFileName().toString()));
        out.write(Files.readAllBytes(file));
        out.closeEntry();
      }
    }
    return jar;
  }

  /** What Spark needs of the JVM. */
  public static String jvmOptions() {
    return JavaModuleOptions.defaultModuleOptions().trim();
  }

  /** Starts a master and workers of two cores each; returns the master's URL. */
  public String startCluster(int workers) throws IOException {
    return startCluster(Collections.nCopies(workers, List.of()));
  }

  /**
   * The same with settings of each worker's own.
   *
   * @param jvmOfWorkers one list of JVM options per worker; their hosts are 127.0.0.2 and up
   */
  public String startCluster(List<List<String>> jvmOfWorkers) throws IOException {
    int workers = jvmOfWorkers.size();
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    String url = "spark://127.0.0.1:" + port;
    Path log = folder.resolve("master.log");
    daemon(
        log,
        List.of(),
        List.of("org.apache.spark.deploy.master.Master"),
        List.of("--host", "127.0.0.1", "--port", "" + port, "--webui-port", "0"));
    await(log, "I have been elected leader", 1);
    for (int i = 0; i < workers; i++) {
      String host = "127.0.0." + (2 + i);
      List<String> options = new ArrayList<>(List.of("--host", host, "--cores", "2"));
      options.addAll(List.of("--memory", "2g", "--webui-port", "0"));
      options.addAll(List.of("-d", folder.resolve("work-" + i).toString(), url));
      daemon(
          folder.resolve("worker-" + i + ".log"),
          jvmOfWorkers.get(i),
          List.of("org.apache.spark.deploy.worker.Worker"),
          options);
    }
    await(log, "Registering worker", workers);
    return url;
  }

  private void daemon(Path log, List<String> jvm, List<String> main, List<String> arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx512m"));
    all.addAll(jvm);
    daemons.add(start(log, all, main, arguments, Map.of()));
  }

  private Process start(
      Path log,
      List<String> jvm,
      List<String> main,
      List<String> arguments,
      Map<String, String> more)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(Arrays.asList(jvmOptions().split(" +")));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")); // starts faster
    command.addAll(SparkArchive.jvmOptions());
    command.addAll(List.of("-cp", classPath()));
    command.addAll(jvm);
    command.addAll(main);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile()).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_SCALA_VERSION", System.getProperty("ata.scalaVersion"));
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("JAVA_HOME", Path.of(java()).getParent().getParent().toString());
    environment.putAll(more);
    return builder.start();
  }

  private static String java() {
    String chosen = System.getProperty("ata.java", "");
    return chosen.isEmpty() ? System.getProperty("java.home") + "/bin/java" : chosen;
  }

  /** The major version of the java that everything runs in. */
  public static String javaVersion() throws IOException {
    Path release = Path.of(java()).getParent().getParent().resolve("release");
    return Files.readString(release).replaceAll("(?s).*JAVA_VERSION=\"(\\d+).*", "$1");
  }

  private static void await(Path log, String text, int times) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Files.exists(log) && count(Files.readString(log), text) >= times);
  }

  private static int count(String log, String text) {
    return log.split(text, -1).length - 1;
  }

  /**
   * Runs spark-submit.
   *
   * @param jvm options of its own JVM, the driver's in client mode
   */
  public Run submit(List<String> jvm, List<String> arguments)
      throws IOException, InterruptedException {
    return submit(jvm, arguments, Map.of());
  }

  /** The same with more environment. */
  public Run submit(List<String> jvm, List<String> arguments, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> main = List.of("org.apache.spark.deploy.SparkSubmit");
    return run(jvm, main, arguments, environment);
  }

  /** Runs a class of {@code jar} with Spark's jars behind it on the class path. */
  public Run run(Path jar, String main) throws IOException, InterruptedException {
    List<String> jvm =
        List.of("-cp", jar + File.pathSeparator + classPath()); // the last -cp counts
    return run(jvm, List.of(main), List.of(), Map.of());
  }

  private Run run(
      List<String> jvm, List<String> main, List<String> arguments, Map<String, String> environment)
      throws IOException, InterruptedException {
    Run run = run(jvm, main, arguments, environment, SUBMIT_SECONDS);
    assertThat(run.status()).as("ends").isNotEqualTo(UNENDED);
    return run;
  }

  /** Ends spark-submit where it has not ended by itself; its status is then {@link #UNENDED}. */
  public Run submitFor(long seconds, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> main = List.of("org.apache.spark.deploy.SparkSubmit");
    return run(List.of(), main, arguments, Map.of(), seconds);
  }

  private Run run(
      List<String> jvm,
      List<String> main,
      List<String> arguments,
      Map<String, String> environment,
      long seconds)
      throws IOException, InterruptedException {
    Path log = folder.resolve("run-" + runs++ + ".log");
    Process process = start(log, jvm, main, arguments, environment);
    try {
      boolean hasEnded = process.waitFor(seconds, TimeUnit.SECONDS);
      return new Run(hasEnded ? process.exitValue() : UNENDED, Files.readString(log));
    } finally {
      process.destroyForcibly();
    }
  }

  /** What the drivers said that ran on workers, all of them. */
  public String logOfDrivers() throws IOException {
    try (var files = Files.walk(folder)) {
      StringBuilder log = new StringBuilder();
      for (Path file : files.sorted().toList()) {
        if (file.toString().contains("driver-") && file.endsWith("stderr")) {
          log.append(Files.readString(file));
        }
      }
      return log.toString();
    }
  }

  /** Ends the cluster with all that it started. */
  @Override
  public void close() throws IOException {
    for (Process daemon : daemons) {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly();
    }
    daemons.forEach(daemon -> daemon.onExit().join());
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(home.resolve("jars"))) {
      for (Path link : jars) {
        Files.delete(link);
      }
    }
  }
}
