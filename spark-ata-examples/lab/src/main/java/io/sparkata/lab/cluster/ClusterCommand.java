package io.sparkata.lab.cluster;

import io.sparkata.lab.Ata;
import io.sparkata.lab.BadArgument;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.ClusterState.Worker;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code scripts/cluster}, whose {@code --help} describes commands and options. */
@Command(name = "scripts/cluster")
public final class ClusterCommand {
  private static final int NOT_UP = 3;

  /**
   * What {@code --json} prints.
   *
   * @param up whether all of the cluster runs
   * @param ended number of processes that were stopped
   * @param cluster null if none was started
   */
  record Answer(boolean up, String dir, int ended, ClusterState cluster) {}

  @Option(names = "--manager", defaultValue = "standalone", scope = ScopeType.INHERIT)
  private Manager manager;

  @Option(names = "--dir", scope = ScopeType.INHERIT)
  private Path dir;

  @Spec private CommandSpec spec;

  /** Exits with 0, 1 after a failure, 2 on bad arguments, 3 unless all of a cluster runs. */
  public static void main(String[] arguments) {
    System.exit(Ata.commandLine(new ClusterCommand()).execute(arguments));
  }

  @Command
  int start(@Mixin StartOptions options, @Mixin JsonOption json) throws IOException {
    ClusterFolder folder = folder();
    folder.requireFree();
    ClusterPlan plan = options.plan(Runtime.getRuntime().availableProcessors());
    new ClusterStart(plan, folder).run(manager);
    return status(json);
  }

  @Command
  int stop(@Mixin JsonOption json) throws IOException {
    ClusterFolder folder = folder();
    int ended = new ClusterProcesses(folder.path()).end();
    folder.clear();
    print(
        json,
        new Answer(/* up= */ false, folder.path().toString(), ended, /* cluster= */ null),
        ended > 0 ? "stopped: " + ended + " processes ended\n" : "not running\n");
    return 0;
  }

  @Command
  int status(@Mixin JsonOption json) throws IOException {
    ClusterFolder folder = folder();
    LongPredicate isRunning = new ClusterProcesses(folder.path())::contains;
    Optional<ClusterState> state = folder.read();
    boolean isUp = state.isPresent() && state.get().isUp(isRunning);
    print(
        json,
        new Answer(isUp, folder.path().toString(), /* ended= */ 0, state.orElse(null)),
        state.map(known -> known.toText(isRunning)).orElse("not running\n"));
    return isUp ? 0 : NOT_UP;
  }

  @Command
  int throttle(
      @Option(names = "--worker", required = true) String host,
      @Option(names = "--factor", required = true) double factor)
      throws IOException {
    List<Worker> workers = workersWithQuotas("throttle");
    List<String> hosts = workers.stream().map(worker -> worker.share().host()).toList();
    String rule = "one of " + String.join(" ", hosts);
    BadArgument.require(hosts.contains(host), "--worker", host, rule);
    Worker worker = workers.get(hosts.indexOf(host));
    worker.cpuGroup().hold(worker.share().quota().times(factor));
    return 0;
  }

  @Command
  int lift() throws IOException {
    for (Worker worker : workersWithQuotas("lift")) {
      worker.cpuGroup().lift();
    }
    return 0;
  }

  @Command
  int hold() throws IOException {
    for (Worker worker : workersWithQuotas("hold")) {
      worker.cpuGroup().hold(worker.share().quota());
    }
    return 0;
  }

  private ClusterFolder folder() throws IOException {
    Path standard =
        manager == Manager.YARN ? UnevenCluster.yarnFolder() : Project.path("target/cluster");
    Path path = (dir == null ? standard : dir).toAbsolutePath().normalize();
    ClusterFolder folder = new ClusterFolder(path);
    folder.requireOwn();
    return folder;
  }

  private List<Worker> workersWithQuotas(String action) throws IOException {
    Path path = folder().path();
    Optional<ClusterState> state = folder().read();
    if (state.isEmpty()) {
      throw new RunFailure(
          "Cannot %s: no cluster runs in %s. Start one: scripts/cluster start --dir %s"
              .formatted(action, path, path));
    }
    if (state.get().enforcement() != Enforcement.CGROUP) {
      throw new RunFailure("Cannot " + action + ": no CPU quotas hold the workers.");
    }
    return state.get().workers();
  }

  private void print(JsonOption json, Answer answer, String text) {
    spec.commandLine().getOut().print(json.isOn() ? JsonOption.line(answer) : text);
    spec.commandLine().getOut().flush();
  }
}
