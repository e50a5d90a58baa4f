package io.sparkata.lab.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.lab.Ata;
import io.sparkata.lab.JsonOption;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.ClusterState.Worker;
import io.sparkata.lab.cluster.UnevenCluster.Manager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code scripts/cluster}, whose {@code --help} describes commands and options. */
@Command(name = "scripts/cluster")
public final class ClusterCommand {
  private static final int NOT_UP = 3;

  @Spec private CommandSpec spec;

  /** Which cluster. */
  static final class Place {
    @Option(names = "--manager", defaultValue = "standalone")
    private Manager manager;

    @Option(names = "--dir")
    private Path dir;

    ClusterFolder folder() throws IOException {
      Path standard =
          manager == Manager.YARN ? UnevenCluster.yarnFolder() : Project.path("target/cluster");
      Path path = (dir == null ? standard : dir).toAbsolutePath().normalize();
      ClusterFolder folder = new ClusterFolder(path);
      folder.requireOwn();
      return folder;
    }
  }

  /** Exits with 0, 1 after a failure, 2 on bad arguments, 3 unless all of a cluster runs. */
  public static void main(String[] arguments) {
    System.exit(Ata.commandLine(new ClusterCommand()).execute(arguments));
  }

  @Command
  int start(@Mixin Place place, @Mixin StartOptions options, @Mixin JsonOption json)
      throws IOException {
    ClusterFolder folder = place.folder();
    try {
      String enforce = System.getenv().getOrDefault("ATA_CLUSTER_ENFORCE", "");
      ClusterPlan plan = ClusterPlan.of(options, folder, enforce);
      ClusterStart.run(place.manager, options, plan, folder);
    } catch (IllegalArgumentException error) {
      throw invalid(error.getMessage());
    }
    return print(folder, json);
  }

  @Command
  int stop(@Mixin Place place, @Mixin JsonOption json) throws IOException {
    ClusterFolder folder = place.folder();
    int ended = ClusterJvms.end(folder);
    if (json.isOn()) {
      print(JsonOption.line(down(folder).put("ended", ended)));
    } else {
      print(ended > 0 ? "stopped: " + ended + " processes ended\n" : "not running\n");
    }
    return 0;
  }

  @Command
  int status(@Mixin Place place, @Mixin JsonOption json) throws IOException {
    return print(place.folder(), json);
  }

  @Command
  int throttle(
      @Mixin Place place,
      @Option(names = "--worker", required = true) String host,
      @Option(names = "--factor", required = true) double factor)
      throws IOException {
    if (!(factor > 0 && factor <= 1)) {
      throw invalid("Invalid --factor: " + factor + " (above 0, at most 1)");
    }
    List<Worker> workers = workersWithQuotas("throttle", place);
    for (Worker worker : workers) {
      if (worker.host().equals(host)) {
        try {
          worker.cpuGroup().hold(worker.quota().times(factor));
        } catch (IllegalArgumentException error) {
          throw invalid(error.getMessage());
        }
        return 0;
      }
    }
    String hosts = String.join(" ", workers.stream().map(Worker::host).toList());
    throw invalid("Invalid --worker: " + host + " (one of " + hosts + ")");
  }

  @Command
  int lift(@Mixin Place place) throws IOException {
    for (Worker worker : workersWithQuotas("lift", place)) {
      worker.cpuGroup().lift();
    }
    return 0;
  }

  @Command
  int hold(@Mixin Place place) throws IOException {
    for (Worker worker : workersWithQuotas("hold", place)) {
      worker.cpuGroup().hold(worker.quota());
    }
    return 0;
  }

  private int print(ClusterFolder folder, JsonOption json) throws IOException {
    Optional<ClusterState> state = folder.read();
    if (state.isEmpty()) {
      print(json.isOn() ? JsonOption.line(down(folder)) : "not running\n");
      return NOT_UP;
    }
    ClusterProcesses processes = new ClusterProcesses(folder.path());
    print(
        json.isOn()
            ? JsonOption.line(state.get().toJson(processes::contains))
            : state.get().toText(processes::contains));
    return state.get().isUp(processes::contains) ? 0 : NOT_UP;
  }

  private static ObjectNode down(ClusterFolder folder) {
    return new ObjectMapper()
        .createObjectNode()
        .put("up", false)
        .put("dir", folder.path().toString());
  }

  private List<Worker> workersWithQuotas(String action, Place place) throws IOException {
    ClusterFolder folder = place.folder();
    List<Worker> workers =
        folder
            .read()
            .orElseThrow(
                () ->
                    new RunFailure(
                        "Cannot %s: no cluster runs in %s. Start one: scripts/cluster start --dir %s"
                            .formatted(action, folder.path(), folder.path())))
            .workers();
    for (Worker worker : workers) {
      if (worker.group() == null) {
        throw new RunFailure(
            "Cannot %s %s: its share is not held by a CPU quota (%s)."
                .formatted(action, worker.host(), worker.enforcement()));
      }
    }
    return workers;
  }

  private ParameterException invalid(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(String text) {
    CommandLine line = spec.commandLine();
    line.getOut().print(text);
    line.getOut().flush();
  }
}
