package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The actions of scripts/cluster. */
final class Cluster {
  private static final int NOT_UP = 3;

  private final ClusterOptions options;
  private final ClusterFolder folder;
  private final ClusterProcesses processes;
  private final Map<String, String> environment;
  private final PrintStream out;

  private Cluster(ClusterOptions options, Map<String, String> environment, PrintStream out)
      throws IOException {
    this.options = options;
    this.folder = new ClusterFolder(options.folder(Path.of(environment.get("ATA_ROOT"))));
    this.processes = new ClusterProcesses(folder.path());
    this.environment = environment;
    this.out = out;
    folder.requireOwn(Caller.current());
  }

  /** Checks the command line of a start, and prints the manager. */
  static void check(List<String> args, Map<String, String> environment, PrintStream out)
      throws IOException {
    Cluster cluster = new Cluster(ClusterOptions.parse(args), environment, out);
    cluster.plan();
    out.println(cluster.options.manager());
  }

  /** Returns the exit status. */
  static int run(List<String> args, Map<String, String> environment, PrintStream out)
      throws IOException {
    Cluster cluster = new Cluster(ClusterOptions.parse(args), environment, out);
    switch (cluster.options.action()) {
      case "start" -> {
        cluster.plan().run(SparkHere.of(environment));
        return cluster.status();
      }
      case "stop" -> cluster.stop();
      case "status" -> {
        return cluster.status();
      }
      case "throttle" -> cluster.throttle();
      default -> cluster.setQuotas(cluster.options.action().equals("hold"));
    }
    return 0;
  }

  private ClusterStart plan() throws IOException {
    return new ClusterStart(options, folder, environment.getOrDefault("ATA_CLUSTER_ENFORCE", ""));
  }

  private void stop() throws IOException {
    int count = processes.pids().size();
    ClusterJvms.end(folder);
    if (options.isJson()) {
      Map<String, Object> map = down();
      map.put("ended", count);
      out.println(Json.of(map));
    } else {
      out.println(count > 0 ? "stopped: " + count + " processes ended" : "not running");
    }
  }

  private Map<String, Object> down() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("up", false);
    map.put("dir", folder.path());
    return map;
  }

  private int status() throws IOException {
    Optional<ClusterState> state = folder.read();
    if (state.isEmpty()) {
      out.println(options.isJson() ? Json.of(down()) : "not running");
      return NOT_UP;
    }
    if (options.isJson()) {
      out.println(Json.of(state.get().toMap(folder.path(), processes::contains)));
    } else {
      out.print(state.get().toText(processes::contains));
    }
    return state.get().isUp(processes::contains) ? 0 : NOT_UP;
  }

  /** Sets all quotas as planned, or removes them. */
  private void setQuotas(boolean isHeld) throws IOException {
    for (ClusterState.Worker worker : workersWithQuotas()) {
      Path group = Path.of(worker.group());
      if (isHeld) {
        worker.enforcement().hold(group, worker.share().quota(), worker.share().period());
      } else {
        worker.enforcement().lift(group);
      }
    }
  }

  /** Sets one worker's quota to a part of its share. */
  private void throttle() throws IOException {
    double factor = options.factor();
    List<ClusterState.Worker> workers = workersWithQuotas();
    String host = options.value("--worker", "nothing");
    for (ClusterState.Worker worker : workers) {
      if (worker.share().host().equals(host)) {
        WorkerShare less = worker.share().throttled(factor, options.value("--factor", ""));
        worker.enforcement().hold(Path.of(worker.group()), less.quota(), less.period());
        return;
      }
    }
    List<String> hosts = workers.stream().map(worker -> worker.share().host()).toList();
    throw ScriptFailure.ofUsage(
        "Invalid --worker: " + host + " (one of " + String.join(" ", hosts) + ")");
  }

  private List<ClusterState.Worker> workersWithQuotas() throws IOException {
    Optional<ClusterState> state = folder.read();
    if (state.isEmpty()) {
      throw new ScriptFailure(
          String.format(
              "Cannot %s: no cluster runs in %s. Start one: scripts/cluster start --dir %s",
              options.action(), folder.path(), folder.path()));
    }
    for (ClusterState.Worker worker : state.get().workers()) {
      if (!worker.hasGroup()) {
        throw new ScriptFailure(
            String.format(
                "Cannot %s %s: its share is not held by a CPU quota (%s).",
                options.action(), worker.share().host(), worker.means()));
      }
    }
    return state.get().workers();
  }
}
