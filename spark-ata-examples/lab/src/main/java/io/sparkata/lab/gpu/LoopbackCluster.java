package io.sparkata.lab.gpu;

import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/**
 * A standalone Spark cluster of separate JVMs on loopback addresses: a master, and workers on
 * 127.0.0.2 and up. {@link #close} ends it, or the shutdown of this JVM.
 */
final class LoopbackCluster implements AutoCloseable {
  /** Cores of each worker. */
  static final int CORES = 2;

  private static final long WAIT_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 100;
  private static final long STOP_SECONDS = 20;

  private final Path home;
  private final Path folder;
  private final List<Process> daemons = new ArrayList<>();
  private boolean isClosed;

  /**
   * @param home a Spark home with {@code jars} and {@code conf}
   * @param folder takes the logs and the workers' folders
   */
  LoopbackCluster(Path home, Path folder) {
    this.home = home;
    this.folder = folder;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop cluster"));
  }

  /**
   * Starts the cluster and waits until all workers have registered.
   *
   * @param discoveryScripts the script of each worker that finds its GPUs
   * @param memory memory that each worker offers, in Spark's notation
   * @return the master's URL
   */
  String start(List<Path> discoveryScripts, String memory)
      throws IOException, InterruptedException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    String url = "spark://127.0.0.1:" + port;
    Path log = folder.resolve("master.log");
    daemon(
        log,
        List.of("-Dspark.port.maxRetries=0"),
        "org.apache.spark.deploy.master.Master",
        List.of("--host", "127.0.0.1", "--port", "" + port, "--webui-port", "0"));
    await(log, "I have been elected leader", 1);
    for (int i = 0; i < discoveryScripts.size(); i++) {
      String host = "127.0.0." + (2 + i);
      daemon(
          folder.resolve("worker-" + host + ".log"),
          List.of(
              "-Dspark.worker.resource.gpu.amount=1",
              "-Dspark.worker.resource.gpu.discoveryScript=" + discoveryScripts.get(i)),
          "org.apache.spark.deploy.worker.Worker",
          List.of(
              "--host",
              host,
              "--cores",
              "" + CORES,
              "--memory",
              memory,
              "--webui-port",
              "0",
              "-d",
              folder.resolve("work-" + host).toString(),
              url));
    }
    await(log, "Registering worker", discoveryScripts.size());
    return url;
  }

  private synchronized void daemon(Path log, List<String> jvm, String main, List<String> arguments)
      throws IOException {
    if (isClosed) {
      throw new RunFailure("Interrupted.");
    }
    Path java = Path.of(System.getProperty("java.home"));
    List<String> command = new ArrayList<>();
    command.add(java.resolve("bin").resolve("java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split(" +")));
    command.add("-Xmx512m");
    command.addAll(jvm);
    command.addAll(List.of("-cp", home.resolve("conf") + ":" + home.resolve("jars") + "/*"));
    command.add(main);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(log.toFile()).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
    environment.put("SPARK_HOME", home.toString());
    environment.put("SPARK_SCALA_VERSION", scalaVersion());
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("JAVA_HOME", java.toString());
    daemons.add(builder.start());
  }

  /** The Scala version in the name of Spark's jar. */
  private String scalaVersion() throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
      return jars.map(jar -> jar.getFileName().toString())
          .filter(name -> name.startsWith("spark-core_"))
          .map(name -> name.substring("spark-core_".length(), name.indexOf('-', 11)))
          .findFirst()
          .orElseThrow(() -> new RunFailure("Cannot find Spark in " + home + "/jars"));
    }
  }

  private void await(Path log, String text, int times) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (Files.readString(log).split(text, -1).length - 1 < times) {
      for (Process daemon : daemons) {
        if (!daemon.isAlive()) {
          throw new RunFailure(
              "Cannot start a cluster: a JVM of it ended with status "
                  + daemon.exitValue()
                  + ", see the logs in "
                  + folder);
        }
      }
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot start a cluster: no '" + text + "' within two minutes, see " + log);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Ends the cluster and its executors. */
  @Override
  public synchronized void close() {
    isClosed = true;
    for (Process daemon : daemons) {
      List<ProcessHandle> executors = daemon.descendants().toList();
      daemon.destroyForcibly(); // before the executors, which a worker would restart
      executors.forEach(ProcessHandle::destroyForcibly);
    }
    for (Process daemon : daemons) {
      try {
        daemon.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }
    daemons.clear();
  }
}
