package io.sparkata.lab.cluster;

import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cgroup, version 1 or 2, whose processes are held to a CPU quota.
 *
 * @param folder of the group
 */
record CpuGroup(Path folder) {
  private static final Pattern V1_MOUNT = Pattern.compile("(?m)^\\S+ (\\S+) cgroup \\S*\\bcpu\\b");
  private static final Pattern V1_GROUP = Pattern.compile("(?m)^\\d+:[^:]*\\bcpu\\b[^:]*:/(.*)$");
  private static final Pattern V2_MOUNT = Pattern.compile("(?m)^\\S+ (\\S+) cgroup2 ");
  private static final Pattern V2_GROUP = Pattern.compile("(?m)^0::/(.*)$");

  private static final String V2_QUOTA = "cpu.max";
  private static final String V1_QUOTA = "cpu.cfs_quota_us";
  private static final String V1_PERIOD = "cpu.cfs_period_us";
  private static final int REMOVAL_TRIES = 50;

  /** The group of this process and those above it; none without a controller of CPUs. */
  static List<CpuGroup> own() throws IOException {
    return own(
        Files.readString(Path.of("/proc/mounts")), Files.readString(Path.of("/proc/self/cgroup")));
  }

  /**
   * The same, by the kernel's texts.
   *
   * @param mounts of /proc/mounts
   * @param groups of /proc/self/cgroup
   */
  static List<CpuGroup> own(String mounts, String groups) {
    Matcher mount = V1_MOUNT.matcher(mounts);
    Matcher group = V1_GROUP.matcher(groups);
    if (!mount.find()) {
      mount = V2_MOUNT.matcher(mounts);
      group = V2_GROUP.matcher(groups);
      if (!mount.find()) {
        return List.of();
      }
    }
    Path root = Path.of(mount.group(1));
    List<CpuGroup> own = new ArrayList<>();
    Path folder = root.resolve(group.find() ? group.group(1) : "").normalize();
    for (; folder.startsWith(root); folder = folder.getParent()) {
      own.add(new CpuGroup(folder));
    }
    return own;
  }

  private boolean isV2() {
    return Files.exists(folder.resolve(V2_QUOTA));
  }

  /** Whether this user can make a group with a quota in this one. */
  boolean isWritable() {
    CpuGroup probe = child("spark-ata-probe-" + ProcessHandle.current().pid());
    Process process = null;
    try {
      if (Files.exists(folder.resolve("cgroup.subtree_control"))) { // v2
        write("cgroup.subtree_control", "+cpu");
      }
      Files.createDirectory(probe.folder);
      probe.hold(new CpuQuota(10_000, 10_000));
      process = new ProcessBuilder("sleep", "60").start();
      probe.add(process.pid());
      return true;
    } catch (IOException refused) {
      return false;
    } finally {
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
      probe.remove();
    }
  }

  CpuGroup child(String name) {
    return new CpuGroup(folder.resolve(name));
  }

  void add(long pid) throws IOException {
    write("cgroup.procs", pid);
  }

  /**
   * Sets the quota. The weight lets the group have its quota on a busy machine too; it cannot
   * starve other programs, which keep what the quotas leave.
   */
  void hold(CpuQuota quota) throws IOException {
    if (isV2()) {
      write(V2_QUOTA, quota.micros() + " " + quota.period());
      write("cpu.weight", Math.max(1, Math.min(10000, 4000 * quota.micros() / quota.period())));
    } else {
      write(V1_PERIOD, quota.period());
      write(V1_QUOTA, quota.micros());
      write("cpu.shares", Math.max(2, Math.min(262144, 102400 * quota.micros() / quota.period())));
    }
  }

  /** Removes the quota, and sets the default weight. */
  void lift() throws IOException {
    if (isV2()) {
      write(V2_QUOTA, "max");
      write("cpu.weight", 100);
    } else {
      write(V1_QUOTA, -1);
      write("cpu.shares", 1024);
    }
  }

  private void write(String file, Object value) throws IOException {
    Files.writeString(folder.resolve(file), value + "\n", WRITE, TRUNCATE_EXISTING);
  }

  /** Removes the group; the kernel allows that a moment after its last process has ended. */
  void remove() {
    for (int i = 0; i < REMOVAL_TRIES && Files.isDirectory(folder); i++) {
      if (folder.toFile().delete()) {
        return;
      }
      pause(100);
    }
    if (Files.isDirectory(folder)) {
      System.err.println("Cannot remove the cgroup " + folder + ": it is still in use.");
    }
  }

  static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
