package io.sparkata.lab.cluster;

import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A cgroup, version 1 or 2, whose processes are held to a CPU quota.
 *
 * @param folder of the group
 */
record CpuGroup(Path folder) {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");
  private static final Pattern V1_GROUP = Pattern.compile("(?m)^\\d+:[^:]*\\bcpu\\b[^:]*:/(.*)$");
  private static final Pattern V2_GROUP = Pattern.compile("(?m)^0::/(.*)$");

  private static final String V2_QUOTA = "cpu.max";
  private static final String V2_SUBGROUPS = "cgroup.subtree_control";
  private static final String V1_QUOTA = "cpu.cfs_quota_us";
  private static final int DELETIONS = 50;

  /**
   * The group of a process and those above it, where Linux distributions mount them.
   *
   * @param groups of /proc/PID/cgroup
   */
  static List<CpuGroup> of(String groups) {
    Matcher group = V1_GROUP.matcher(groups);
    Path root = MOUNT.resolve("cpu");
    if (!group.find()) {
      group = V2_GROUP.matcher(groups);
      root = MOUNT;
    }
    Path top = root;
    Path folder = root.resolve(group.find(0) ? group.group(1) : "").normalize();
    return Stream.iterate(folder, at -> at.startsWith(top), Path::getParent)
        .map(CpuGroup::new)
        .toList();
  }

  private boolean isV2() {
    return Files.exists(folder.resolve(V2_QUOTA));
  }

  /** Whether this user can make a group with a quota in this one. */
  boolean isWritable() {
    CpuGroup probe = child("probe");
    try {
      if (Files.exists(folder.resolve(V2_SUBGROUPS))) {
        write(V2_SUBGROUPS, "+cpu");
      }
      Files.createDirectory(probe.folder);
      probe.hold(new CpuQuota(10_000, 10_000));
      return true;
    } catch (IOException refused) {
      return false;
    } finally {
      probe.delete();
    }
  }

  /** One below this, named after the process that makes it. */
  CpuGroup child(String name) {
    return new CpuGroup(folder.resolve("spark-ata-" + ProcessHandle.current().pid() + "-" + name));
  }

  void add(long pid) throws IOException {
    write("cgroup.procs", pid);
  }

  /**
   * Sets the quota. The weight lets the group have its quota on a busy machine too; it cannot
   * starve other programs, which keep what the quotas leave.
   */
  void hold(CpuQuota quota) throws IOException {
    double cpus = (double) quota.micros() / quota.period();
    if (isV2()) {
      write(V2_QUOTA, quota.micros() + " " + quota.period());
      write("cpu.weight", Math.max(1, Math.min(10_000, (long) (4000 * cpus))));
    } else {
      write("cpu.cfs_period_us", quota.period());
      write(V1_QUOTA, quota.micros());
      write("cpu.shares", Math.max(2, Math.min(262_144, (long) (102_400 * cpus))));
    }
  }

  /** Removes the quota, and sets the default weight. */
  void lift() throws IOException {
    write(isV2() ? V2_QUOTA : V1_QUOTA, isV2() ? "max" : -1);
    write(isV2() ? "cpu.weight" : "cpu.shares", isV2() ? 100 : 1024);
  }

  private void write(String file, Object value) throws IOException {
    Files.writeString(folder.resolve(file), value + "\n", WRITE, TRUNCATE_EXISTING);
  }

  /** Deletes the group; the kernel allows that a moment after its last process has ended. */
  void delete() {
    for (int i = 0; i < DELETIONS && Files.isDirectory(folder); i++) {
      if (folder.toFile().delete()) {
        return;
      }
      LockSupport.parkNanos(100_000_000);
    }
    if (Files.isDirectory(folder)) {
      System.err.println("Cannot remove the cgroup " + folder + ": it is still in use.");
    }
  }
}
