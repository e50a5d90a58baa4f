package io.sparkata.lab.cluster;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import io.sparkata.lab.cluster.ClusterState.Worker;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Starts a cluster as planned. */
record ClusterStart(
    StartOptions options,
    ClusterPlan plan,
    ClusterFolder folder,
    ClusterJvms jvms,
    ClusterServers servers) {
  private static final int START_SECONDS = 180;
  private static final int HTTP_MILLIS = 5000;

  /** With autogroups nice counts within a session only; between sessions their own value does. */
  private static final String NICE_START =
      "{ echo \"$1\" >/proc/self/autogroup; } 2>/dev/null || true;"
          + " exec nice -n \"$1\" taskset -c \"$2\" \"${@:3}\"";

  /** Returns when all workers have registered and are held to their shares. */
  static void run(Manager manager, StartOptions options, ClusterPlan plan, ClusterFolder folder)
      throws IOException {
    SparkJars spark = SparkJars.in(Launch.sparkHome());
    Program yarnServers = new Program(Launch.script("cluster", "--yarn-servers"));
    String yarnJars = manager == Manager.YARN ? Launch.output(yarnServers) : "";
    List<Integer> ports = freePorts(5);
    folder.prepare();
    ClusterJvms.end(folder);
    ClusterJvms jvms = new ClusterJvms(folder, spark);
    ClusterServers servers =
        manager == Manager.YARN
            ? Yarn.prepare(options, folder, spark, Path.of(yarnJars), ports)
            : Standalone.prepare(options, folder, spark, ports.get(0), ports.get(1));
    System.err.printf("Starting a master and %d workers ...%n", plan.shares().size());
    ClusterStart start = new ClusterStart(options, plan, folder, jvms, servers);
    Process master =
        jvms.start("master", List.of(), servers.master(), environment("127.0.0.1", servers, ""));
    start.await(0);
    List<Worker> workers = start.startWorkers();
    start.await(workers.size());
    for (Worker worker : workers) {
      if (worker.group() != null) {
        worker.cpuGroup().hold(worker.quota());
      }
    }
    folder.write(
        new ClusterState(
            servers.address(),
            "http://127.0.0.1:" + ports.get(1),
            master.pid(),
            folder.path().toString(),
            Project.profile(),
            spark.version(),
            spark.scala(),
            plan.cpusHere(),
            plan.capacity(),
            workers));
    jvms.outliveThisProcess();
  }

  /** Different free ports, below those that the kernel gives to outgoing connections. */
  private static List<Integer> freePorts(int count) {
    return ThreadLocalRandom.current()
        .ints(20_000, 32_000)
        .distinct()
        .filter(ClusterStart::isFree)
        .limit(count)
        .boxed()
        .toList();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  private static Map<String, String> environment(
      String host, ClusterServers servers, String options) {
    String all = (servers.inheritedOptions() + " " + options).strip();
    return all.isEmpty()
        ? Map.of("SPARK_LOCAL_IP", host)
        : Map.of("SPARK_LOCAL_IP", host, "JDK_JAVA_OPTIONS", all);
  }

  private List<Worker> startWorkers() throws IOException {
    String shared =
        plan.cpus().stream()
            .limit(options.cores)
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    List<Worker> workers = new ArrayList<>();
    for (WorkerShare share : plan.shares()) {
      String host = share.host();
      String name = "worker-" + host;
      Files.createDirectories(folder.work(host));
      List<String> prefix =
          plan.enforcement() == Enforcement.AFFINITY
              ? List.of("bash", "-c", NICE_START, "_", "" + share.nice(), shared)
              : List.of();
      String processors = "-XX:ActiveProcessorCount=" + options.cores;
      Process process =
          jvms.start(
              name, prefix, servers.worker().apply(host), environment(host, servers, processors));
      String group = null;
      if (plan.groups().isPresent()) {
        CpuGroup mine = folder.makeGroup(plan.groups().get(), host);
        group = mine.folder().toString();
        try {
          mine.add(process.pid());
        } catch (IOException ended) {
          throw jvms.failure(name + " ended", name);
        }
      }
      workers.add(
          new Worker(
              host,
              process.pid(),
              options.cores,
              options.memory,
              share.speed(),
              share.cpus(),
              share.describe(plan.enforcement(), shared),
              group,
              share.quota()));
    }
    return workers;
  }

  /** Waits until the master answers and so many workers have registered. */
  private void await(int wanted) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    int seen = -1;
    while (seen < wanted) {
      int registered = registered();
      String progress = registered + " of " + wanted + " workers registered";
      if (registered > seen && wanted > 0) {
        System.err.println("  " + progress);
      }
      seen = registered;
      jvms.requireAlive();
      if (System.nanoTime() > deadline) {
        String reason = registered < 0 ? "the master did not answer" : progress;
        throw jvms.failure(reason + " in " + START_SECONDS + " s", "master");
      }
      CpuGroup.pause(200);
    }
  }

  /** How many workers the master's page counts; -1 while it has no page. */
  private int registered() {
    try {
      URLConnection page = URI.create(servers.page()).toURL().openConnection(Proxy.NO_PROXY);
      page.setRequestProperty("Accept", "application/json");
      page.setConnectTimeout(HTTP_MILLIS);
      page.setReadTimeout(HTTP_MILLIS);
      try (InputStream in = page.getInputStream()) {
        Pattern count = Pattern.compile("\"" + servers.countName() + "\"\\s*:\\s*([0-9]+)");
        Matcher found = count.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
      }
    } catch (IOException none) {
      return -1;
    }
  }
}
