package io.sparkata.lab.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.ClusterState.Worker;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Starts the JVMs of a cluster as planned. They outlive this one; if the start fails or is
 * interrupted, all of them end. Safe for use by two threads: the one that starts and the shutdown
 * hook.
 */
final class ClusterStart {
  private static final int START_SECONDS = 180;

  private final ClusterPlan plan;
  private final ClusterFolder folder;
  private final Path sparkHome = Path.of(System.getenv("SPARK_HOME"));
  private final Thread cleaner = new Thread(this::endAfterFailure, "end the cluster");
  private final List<Process> started = new ArrayList<>();
  private boolean isEnding;

  /**
   * What to start, after its configuration has been written.
   *
   * @param address for those who submit
   * @param page the master's web page that counts workers, from its root
   * @param count the name of that count in the page's JSON
   * @param master JVM options, main class and arguments of the master
   * @param worker the same for the worker with a loopback address
   */
  record Servers(
      String address,
      String page,
      String count,
      List<String> master,
      Function<String, List<String>> worker) {}

  ClusterStart(ClusterPlan plan, ClusterFolder folder) {
    this.plan = plan;
    this.folder = folder;
  }

  /** Returns when all workers have registered and are held to their shares. */
  void run(Manager manager) throws IOException {
    int port = freePorts();
    folder.prepare();
    Runtime.getRuntime().addShutdownHook(cleaner);
    Servers servers =
        manager == Manager.YARN
            ? Yarn.prepare(plan, folder, sparkHome, Path.of(System.getProperty("ata.yarn")), port)
            : Standalone.prepare(plan, folder, sparkHome, port);
    String web = "http://127.0.0.1:" + (port + 1);
    System.err.printf("Starting a master and %d workers ...%n", plan.shares().size());
    Process master = start("master", "127.0.0.1", List.of(), servers.master());
    await(0, web + servers.page(), servers.count());
    List<Worker> workers = new ArrayList<>();
    for (WorkerShare share : plan.shares()) {
      workers.add(startWorker(share, servers.worker().apply(share.host())));
    }
    await(workers.size(), web + servers.page(), servers.count());
    for (Worker worker : workers) {
      if (worker.group() != null) {
        worker.cpuGroup().hold(worker.share().quota());
      }
    }
    folder.write(
        new ClusterState(
            servers.address(),
            web,
            master.pid(),
            System.getProperty("ata.sparkVersion"),
            System.getenv("SPARK_SCALA_VERSION"),
            plan.enforcement(),
            workers));
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }

  /**
   * The first of five free ports that differ in their last digit, below those that the kernel gives
   * to outgoing connections.
   */
  private static int freePorts() {
    return ThreadLocalRandom.current()
        .ints(2000, 3200)
        .map(tens -> 10 * tens)
        .filter(port -> IntStream.range(port, port + 5).allMatch(ClusterStart::isFree))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private Worker startWorker(WorkerShare share, List<String> arguments) throws IOException {
    String name = "worker-" + share.host();
    Files.createDirectories(folder.work(share.host()));
    Process process = start(name, share.host(), plan.prefix(share), arguments);
    String group = null;
    if (plan.groups().isPresent()) {
      CpuGroup mine = folder.makeGroup(plan.groups().get(), share.host());
      group = mine.folder().toString();
      try {
        mine.add(process.pid());
      } catch (IOException ended) {
        throw failure("a JVM of it has ended");
      }
    }
    return new Worker(share, process.pid(), group);
  }

  /**
   * Starts a JVM without a terminal.
   *
   * @param name of its log
   * @param prefix command that is to run the JVM
   * @param arguments options, main class and its arguments
   */
  private synchronized Process start(
      String name, String host, List<String> prefix, List<String> arguments) throws IOException {
    if (isEnding) {
      throw new RunFailure("Interrupted.");
    }
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(prefix);
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx512m"));
    command.addAll(Project.sparkJvmOptions());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(Redirect.from(new File("/dev/null")));
    builder.redirectOutput(folder.path().resolve("logs/" + name + ".log").toFile());
    builder.environment().put(ClusterProcesses.VARIABLE, folder.path().toString());
    builder.environment().put("SPARK_LOCAL_IP", host);
    builder.environment().put("JDK_JAVA_OPTIONS", inheritedOptions());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** The caller's JVM options and what all JVMs, executors too, must have. */
  private String inheritedOptions() {
    String options = System.getenv().getOrDefault("JDK_JAVA_OPTIONS", "");
    options += " -XX:ActiveProcessorCount=" + plan.cores();
    return Files.exists(folder.secret()) ? options + " \"@" + folder.secret() + "\"" : options;
  }

  /** Waits until the master answers and so many workers have registered. */
  private void await(int workers, String page, String count) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (registered(page, count) < workers) {
      if (!started.stream().allMatch(Process::isAlive)) {
        throw failure("a JVM of it has ended");
      }
      if (System.nanoTime() > deadline) {
        throw failure("the workers did not register in " + START_SECONDS + " s");
      }
      LockSupport.parkNanos(200_000_000);
    }
  }

  /** How many workers the master's page counts; -1 while it has no page. */
  private static int registered(String page, String count) {
    try {
      URLConnection connection = URI.create(page).toURL().openConnection();
      connection.setRequestProperty("Accept", "application/json");
      connection.setReadTimeout(/* millis= */ 5000);
      try (InputStream in = connection.getInputStream()) {
        return new ObjectMapper().readTree(in).findPath(count).asInt();
      }
    } catch (IOException none) {
      return -1;
    }
  }

  private void endAfterFailure() {
    synchronized (this) {
      isEnding = true;
    }
    try {
      new ClusterProcesses(folder.path()).end();
      folder.clear();
    } catch (IOException | RunFailure failure) {
      System.err.println(failure.getMessage());
    }
  }

  private synchronized RunFailure failure(String reason) {
    return new RunFailure(
        isEnding
            ? "Interrupted."
            : "Cannot start the cluster: %s, see %s/logs.".formatted(reason, folder.path()));
  }
}
