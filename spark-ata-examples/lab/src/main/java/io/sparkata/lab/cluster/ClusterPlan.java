package io.sparkata.lab.cluster;

import static java.lang.Integer.parseInt;
import static java.util.stream.Collectors.joining;
import static java.util.stream.IntStream.rangeClosed;

import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code scripts/cluster start} is going to start on this machine.
 *
 * @param cores of each worker
 * @param memoryMib of each worker
 * @param groups where cgroups for the workers can be made, if they are to be held by quotas
 * @param shares one per worker
 */
record ClusterPlan(
    int cores,
    long memoryMib,
    Optional<CpuGroup> groups,
    Enforcement enforcement,
    List<WorkerShare> shares) {
  /** With autogroups nice counts within a session only; between sessions their own value does. */
  private static final String NICE_START =
      "{ echo \"$1\" >/proc/self/autogroup; } 2>/dev/null || true;"
          + " exec nice -n \"$1\" taskset -c \"$2\" \"${@:3}\"";

  /** The command that is to run a worker; none without affinity. */
  List<String> prefix(WorkerShare share) throws IOException {
    return enforcement == Enforcement.AFFINITY
        ? List.of("bash", "-c", NICE_START, "_", "" + share.nice(), sharedCpus())
        : List.of();
  }

  /** The CPUs that all workers use under affinity: as many as one of them has cores. */
  private String sharedCpus() throws IOException {
    return cpus(Files.readString(Path.of("/proc/self/status"))).limit(cores).collect(joining(","));
  }

  /** Reads the numbers in a text of /proc/PID/status, where a list is like 0-3,7. */
  static Stream<String> cpus(String status) {
    String list = status.replaceAll("(?s).*\\nCpus_allowed_list:\\s*(\\S+)\\n.*", "$1");
    return Stream.of(list.split(",", -1))
        .map(range -> range.split("-", -1))
        .flatMapToInt(ends -> rangeClosed(parseInt(ends[0]), parseInt(ends[ends.length - 1])))
        .mapToObj(String::valueOf);
  }
}
