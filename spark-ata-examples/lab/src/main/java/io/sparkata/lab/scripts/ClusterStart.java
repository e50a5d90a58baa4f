package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code scripts/cluster start}: checks and plans at construction, then starts. */
final class ClusterStart {
  private static final int START_SECONDS = 180;
  private static final int HTTP_MILLIS = 5000;

  /** With autogroups nice counts within a session only; between sessions their own value does. */
  private static final String NICE_START =
      "{ echo \"$1\" >/proc/self/autogroup; } 2>/dev/null || true;"
          + " exec nice -n \"$1\" taskset -c \"$2\" \"${@:3}\"";

  private final ClusterOptions options;
  private final ClusterFolder folder;
  private final Cpus cpus;
  private final double cpusHere;
  private final double capacity;
  private final Optional<Cgroups.Base> groups;
  private final Enforcement enforcement;
  private final List<WorkerShare> shares;

  /**
   * Checks options, machine and folder; starts and changes nothing.
   *
   * @param enforce value of ATA_CLUSTER_ENFORCE
   */
  ClusterStart(ClusterOptions options, ClusterFolder folder, String enforce) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new ScriptFailure(
          "Cannot start a cluster: it needs Linux (loopback addresses, /proc, cgroups).");
    }
    this.options = options;
    this.folder = folder;
    this.cpus = Cpus.here();
    Cgroups cgroups = Cgroups.here();
    this.cpusHere = Math.min(cpus.numbers().size(), cgroups.quota());
    this.capacity = options.capacity(cpusHere);
    requireFreePort();
    folder.requireNoOtherFiles();
    if (!new ClusterProcesses(folder.path()).pids().isEmpty()) {
      throw new ScriptFailure(
          "Cannot start a cluster in "
              + folder.path()
              + ": one runs there already. Set --dir=<another folder>, or end it with:"
              + " scripts/cluster stop --dir "
              + folder.path());
    }
    boolean isWithoutGroups = enforce.equals("affinity") || enforce.equals("none");
    if (!isWithoutGroups && !enforce.isEmpty() && !enforce.equals("cgroup")) {
      throw ScriptFailure.ofUsage(
          "Invalid ATA_CLUSTER_ENFORCE: " + enforce + " (cgroup, affinity or none)");
    }
    this.groups = isWithoutGroups ? Optional.empty() : cgroups.writable();
    if (groups.isEmpty() && enforce.equals("cgroup")) {
      throw new ScriptFailure(
          "Cannot set CPU quotas: no cgroup with a cpu controller is writable here."
              + " Set ATA_CLUSTER_ENFORCE=affinity, or start as root.");
    }
    this.enforcement =
        groups
            .map(Cgroups.Base::enforcement)
            .orElse(enforce.equals("none") ? Enforcement.NONE : Enforcement.AFFINITY);
    List<Double> speeds = WorkerShare.parseSpeeds(options.speeds());
    this.shares = WorkerShare.divide(speeds, options.cores(), capacity, enforcement);
  }

  private void requireFreePort() {
    String port = options.value("--port", "");
    if (!port.isEmpty() && !Ports.isFree(Integer.parseInt(port))) {
      throw new ScriptFailure(
          "Cannot listen on port "
              + port
              + ": it is in use. Set --port=<a free port>, or leave it out.");
    }
  }

  /** Returns when all workers have registered and are held to their shares. */
  void run(SparkHere spark) throws IOException {
    folder.prepare(Caller.current());
    ClusterJvms.end(folder);
    ClusterJvms jvms =
        new ClusterJvms(folder, Map.of("SPARK_HOME", spark.home().toString()), spark.jvmOptions());
    jvms.endWithThisProcess();
    int webPort = Ports.free(1).get(0);
    int port =
        options.value("--port", "").isEmpty()
            ? Ports.free(1, webPort).get(0)
            : Integer.parseInt(options.value("--port", ""));
    ClusterManager manager =
        options.isYarn()
            ? new YarnManager(options, folder, spark, port, webPort)
            : new StandaloneManager(options, folder, spark, port, webPort);
    System.err.printf("Starting %s: a master and %d workers ...%n", manager.title(), shares.size());
    manager.prepare();
    URI page = URI.create("http://127.0.0.1:" + webPort + manager.webPath());
    Process master = jvms.start(manager.master());
    awaitMaster(jvms, master, page);
    List<Process> processes = new ArrayList<>();
    List<ClusterState.Worker> workers = startWorkers(jvms, manager, processes);
    Pattern count = Pattern.compile("\"" + manager.countName() + "\"\\s*:\\s*([0-9]+)");
    awaitWorkers(jvms, processes, page, count);
    for (ClusterState.Worker worker : workers) {
      if (worker.hasGroup()) {
        WorkerShare share = worker.share();
        enforcement.hold(Path.of(worker.group()), share.quota(), share.period());
      }
    }
    folder.write(
        new ClusterState(
            manager.address(), facts(spark, webPort, master.pid()), List.copyOf(workers)));
    jvms.outliveThisProcess();
  }

  private Map<String, String> facts(SparkHere spark, int webPort, long masterPid) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(ClusterState.WEB_PORT, "" + webPort);
    facts.put(ClusterState.MASTER_PID, "" + masterPid);
    facts.put(ClusterState.CORES, "" + options.cores());
    facts.put(ClusterState.MEMORY, options.memory());
    facts.put(ClusterState.CAPACITY, Decimals.text(capacity, 6));
    facts.put(ClusterState.REAL_CPUS, Decimals.text(cpusHere, 6));
    facts.put(ClusterState.PROFILE, spark.profile());
    facts.put(ClusterState.SPARK_VERSION, spark.version());
    facts.put(ClusterState.SCALA_VERSION, spark.scala());
    return facts;
  }

  private List<ClusterState.Worker> startWorkers(
      ClusterJvms jvms, ClusterManager manager, List<Process> processes) throws IOException {
    String shared = cpus.first(options.cores());
    String more = options.value("--worker-opts", "").trim();
    List<String> jvmOptions = more.isEmpty() ? List.of() : List.of(more.split("\\s+"));
    String processors = "-XX:ActiveProcessorCount=" + options.cores();
    List<ClusterState.Worker> workers = new ArrayList<>();
    for (WorkerShare share : shares) {
      List<String> prefix =
          enforcement == Enforcement.AFFINITY
              ? List.of("bash", "-c", NICE_START, "_", "" + share.nice(), shared)
              : List.of();
      Map<String, String> environment =
          Map.of(
              "SPARK_LOCAL_IP",
              share.host(),
              SparkHere.JVM_OPTIONS,
              (manager.inheritedOptions() + " " + processors).trim());
      Process process = jvms.start(manager.worker(share.host(), prefix, jvmOptions, environment));
      Path group = null;
      if (groups.isPresent()) {
        group = groups.get().folder().resolve(folder.groupPrefix() + share.host());
        Files.createDirectory(group);
        try {
          Enforcement.write(group, "cgroup.procs", process.pid());
        } catch (IOException ended) {
          throw jvms.failure("worker " + share.host() + " ended", "worker-" + share.host());
        }
      }
      processes.add(process);
      String means = enforcement.describe(share, shared);
      workers.add(ClusterState.Worker.of(share, process.pid(), means, group));
    }
    return workers;
  }

  private static void awaitMaster(ClusterJvms jvms, Process master, URI page) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (get(page).isEmpty()) {
      if (!master.isAlive()) {
        throw jvms.failure("the master ended", "master");
      } else if (System.nanoTime() > deadline) {
        throw jvms.failure("the master did not answer in " + START_SECONDS + " s", "master");
      }
      Cgroups.pause(200);
    }
  }

  private void awaitWorkers(ClusterJvms jvms, List<Process> processes, URI page, Pattern count)
      throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    int seen = -1;
    while (true) {
      Matcher matcher = count.matcher(get(page));
      int registered = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
      String progress = registered + " of " + processes.size() + " workers registered";
      if (registered != seen) {
        System.err.println("  " + progress);
        seen = registered;
      }
      if (registered >= processes.size()) {
        return;
      }
      for (int i = 0; i < processes.size(); i++) {
        if (!processes.get(i).isAlive()) {
          String host = shares.get(i).host();
          throw jvms.failure("worker " + host + " ended", "worker-" + host);
        }
      }
      if (System.nanoTime() > deadline) {
        throw jvms.failure(progress + " in " + START_SECONDS + " s", "master");
      }
      Cgroups.pause(500);
    }
  }

  /** The text of a web page, empty while there is none. */
  private static String get(URI page) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) page.toURL().openConnection(Proxy.NO_PROXY);
      connection.setRequestProperty("Accept", "application/json");
      connection.setConnectTimeout(HTTP_MILLIS);
      connection.setReadTimeout(HTTP_MILLIS);
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } finally {
        connection.disconnect();
      }
    } catch (IOException none) {
      return "";
    }
  }
}
