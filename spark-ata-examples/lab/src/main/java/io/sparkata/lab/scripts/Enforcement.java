package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What holds workers to their shares of the CPUs. */
enum Enforcement {
  /** Quotas of cgroup v1. */
  V1,
  /** Quotas of cgroup v2. */
  V2,
  /** The same CPUs for all workers, and a nice value for each. */
  AFFINITY,
  /** Nothing. */
  NONE;

  boolean isQuota() {
    return this == V1 || this == V2;
  }

  String describe(WorkerShare share, String cpus) {
    return switch (this) {
      case V1 -> "cgroup v1 quota " + share.quota() + "/" + share.period() + " us";
      case V2 -> "cgroup v2 cpu.max " + share.quota() + " " + share.period();
      case AFFINITY -> "affinity and nice: CPU " + cpus + ", nice " + share.nice();
      case NONE -> "no limit";
    };
  }

  /** What a description came from. */
  static Enforcement describedBy(String means) {
    return means.contains("cgroup v1")
        ? V1
        : means.contains("cgroup v2") ? V2 : means.contains("nice") ? AFFINITY : NONE;
  }

  /**
   * Sets the quota of a group, in microseconds. The weight lets the group have its quota on a busy
   * machine too; it cannot starve other programs, which keep what the quotas leave.
   */
  void hold(Path group, long quota, long period) throws IOException {
    if (this == V1) {
      write(group, "cpu.cfs_period_us", period);
      write(group, "cpu.cfs_quota_us", quota);
      write(group, "cpu.shares", Math.max(2, Math.min(262144, 102400 * quota / period)));
    } else {
      write(group, "cpu.max", quota + " " + period);
      write(group, "cpu.weight", Math.max(1, Math.min(10000, 4000 * quota / period)));
    }
  }

  /** Removes the quota of a group and gives it the default weight. */
  void lift(Path group) throws IOException {
    if (this == V1) {
      write(group, "cpu.cfs_quota_us", -1);
      write(group, "cpu.shares", 1024);
    } else {
      write(group, "cpu.max", "max");
      write(group, "cpu.weight", 100);
    }
  }

  static void write(Path group, String file, Object value) throws IOException {
    Files.writeString(group.resolve(file), value + "\n", StandardOpenOption.WRITE);
  }
}
