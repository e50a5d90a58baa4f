package io.sparkata.lab.cluster;

import io.sparkata.lab.RunFailure;
import io.sparkata.lab.cluster.WorkerShare.Enforcement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What {@code scripts/cluster start} is going to start on this machine.
 *
 * @param cpus numbers of the CPUs that this process may use
 * @param cpusHere how many they are, or what a quota leaves of them, rounded up
 * @param capacity CPUs to divide
 * @param groups where cgroups for the workers can be made, if they are to be held by quotas
 * @param shares one per worker
 */
record ClusterPlan(
    List<Integer> cpus,
    int cpusHere,
    double capacity,
    Optional<CpuGroup> groups,
    Enforcement enforcement,
    List<WorkerShare> shares) {

  /**
   * Checks options, machine and folder; starts and changes nothing.
   *
   * @param enforce how to enforce shares: cgroup, affinity, none, or empty for the best there is
   * @throws IllegalArgumentException with a message for the user if an argument is wrong
   */
  static ClusterPlan of(StartOptions options, ClusterFolder folder, String enforce)
      throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new RunFailure(
          "Cannot start a cluster: it needs Linux (loopback addresses, /proc, cgroups).");
    }
    options.require();
    folder.requireNoOtherFiles();
    if (!new ClusterProcesses(folder.path()).running().isEmpty()) {
      throw new RunFailure(
          ("Cannot start a cluster in %s: one runs there already. Set --dir=<another folder>, or"
                  + " end it with: scripts/cluster stop --dir %s")
              .formatted(folder.path(), folder.path()));
    }
    if (!List.of("", "cgroup", "affinity", "none").contains(enforce)) {
      throw new IllegalArgumentException(
          "Invalid ATA_CLUSTER_ENFORCE: " + enforce + " (cgroup, affinity or none)");
    }
    List<CpuGroup> own = CpuGroup.own();
    List<Integer> cpus = cpus(Files.readString(Path.of("/proc/self/status")));
    int cpusHere = Runtime.getRuntime().availableProcessors(); // less than cpus under a quota
    double capacity = options.capacity(cpusHere);
    Optional<CpuGroup> groups = Optional.empty();
    if (enforce.isEmpty() || enforce.equals("cgroup")) {
      groups = own.stream().filter(CpuGroup::isWritable).findFirst();
    }
    if (groups.isEmpty() && enforce.equals("cgroup")) {
      throw new RunFailure(
          "Cannot set CPU quotas: no cgroup with a cpu controller is writable here."
              + " Set ATA_CLUSTER_ENFORCE=affinity, or start as root.");
    }
    Enforcement enforcement = groups.isPresent() ? Enforcement.CGROUP : Enforcement.AFFINITY;
    if (enforce.equals("none")) {
      enforcement = Enforcement.NONE;
    }
    List<WorkerShare> shares =
        WorkerShare.divide(options.speeds(), options.cores, capacity, enforcement);
    return new ClusterPlan(cpus, cpusHere, capacity, groups, enforcement, shares);
  }

  /** Reads the numbers in a text of /proc/PID/status, where a list is like 0-3,7. */
  static List<Integer> cpus(String status) {
    Matcher list = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$").matcher(status);
    if (!list.find()) {
      throw new RunFailure("Cannot find Cpus_allowed_list in /proc/self/status.");
    }
    List<Integer> cpus = new ArrayList<>();
    for (String range : list.group(1).split(",", -1)) {
      String[] ends = range.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      IntStream.rangeClosed(Integer.parseInt(ends[0]), last).forEach(cpus::add);
    }
    return cpus;
  }
}
