package io.sparkata.lab.cluster;

import static io.sparkata.lab.BadArgument.require;

import io.sparkata.lab.BadArgument;
import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code scripts/cluster start}; its help has what they mean. */
final class StartOptions {
  private static final Path GROUPS = Path.of("/proc/self/cgroup");

  @Option(names = "--speeds", defaultValue = "1,1,1")
  private String speeds;

  @Option(names = "--cores", defaultValue = "1")
  private int cores;

  @Option(names = "--memory", defaultValue = "1g")
  private String memory;

  @Option(names = "--capacity")
  private Double capacity;

  /** An environment variable; null for the best that this user can have. */
  @Option(names = "ATA_CLUSTER_ENFORCE", defaultValue = "${env:ATA_CLUSTER_ENFORCE}")
  private Enforcement enforcement;

  /**
   * Checks options and machine, and changes nothing.
   *
   * @param cpusHere CPUs that this process may use
   * @throws BadArgument if an option is wrong
   */
  ClusterPlan plan(int cpusHere) throws IOException {
    require(cores >= 1, "--cores", cores, "a whole number from 1");
    boolean isSize = memory.matches("[1-9][0-9]{0,8}[mMgG]");
    require(isSize, "--memory", memory, "a number and m or g, e.g. 1g");
    RelativeSpeeds relative = RelativeSpeeds.parse(speeds, /* least= */ 1);
    double divided = capacity == null ? cpusHere - 0.5 : capacity; // half a CPU for the driver
    require(
        divided > 0 && divided <= cpusHere,
        "--capacity",
        divided,
        "above 0, at most the " + cpusHere + " CPUs here; less leaves some to the driver");
    Optional<CpuGroup> groups =
        enforcement == null || enforcement == Enforcement.CGROUP
            ? CpuGroup.of(Files.readString(GROUPS)).stream()
                .filter(CpuGroup::isWritable)
                .findFirst()
            : Optional.empty();
    if (groups.isEmpty() && enforcement == Enforcement.CGROUP) {
      throw new RunFailure(
          "Cannot set CPU quotas: no cgroup with a cpu controller is writable here."
              + " Set ATA_CLUSTER_ENFORCE=affinity, or start as root.");
    }
    Enforcement best = groups.isPresent() ? Enforcement.CGROUP : Enforcement.AFFINITY;
    Enforcement chosen = enforcement == null ? best : enforcement;
    return new ClusterPlan(
        cores, memoryMib(), groups, chosen, WorkerShare.divide(relative, cores, divided, chosen));
  }

  private long memoryMib() {
    long number = Long.parseLong(memory.substring(0, memory.length() - 1));
    return memory.matches(".*[gG]") ? number * 1024 : number;
  }
}
