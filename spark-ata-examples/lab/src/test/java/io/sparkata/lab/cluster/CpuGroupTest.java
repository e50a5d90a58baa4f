package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuGroupTest {
  @TempDir private Path folder;

  private CpuGroup group() {
    return new CpuGroup(folder);
  }

  @Test
  void own_v1_isThatOfTheCpuControllerAndThoseAbove() {
    String mounts =
        """
        tmpfs /sys/fs/cgroup tmpfs rw 0 0
        cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
        cgroup /sys/fs/cgroup/cpu cgroup rw,cpuacct,cpu 0 0
        cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
        """;
    assertThat(CpuGroup.own(mounts, "4:memory:/m\n3:cpuset:/s\n2:cpu,cpuacct:/a/b\n0::/c\n"))
        .extracting(group -> group.folder().toString())
        .containsExactly("/sys/fs/cgroup/cpu/a/b", "/sys/fs/cgroup/cpu/a", "/sys/fs/cgroup/cpu");
  }

  @ParameterizedTest
  @CsvSource({"/user/x, 3", "/, 1"})
  void own_v2_isTheOneOfAllControllers(String name, int count) {
    assertThat(CpuGroup.own("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "0::" + name + "\n"))
        .hasSize(count)
        .startsWith(new CpuGroup(Path.of("/sys/fs/cgroup" + name)))
        .endsWith(new CpuGroup(Path.of("/sys/fs/cgroup")));
    assertThat(CpuGroup.own("tmpfs / tmpfs rw 0 0\n", "0::" + name + "\n")).isEmpty();
  }

  @Test
  void holdAndLift_v1AndV2_writeQuotaAndWeight() throws IOException {
    for (String file : new String[] {"cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.shares"}) {
      Files.createFile(folder.resolve(file));
    }
    group().hold(new CpuQuota(5000, 10000));
    assertThat(folder.resolve("cpu.cfs_quota_us")).hasContent("5000");
    assertThat(folder.resolve("cpu.cfs_period_us")).hasContent("10000");
    assertThat(folder.resolve("cpu.shares")).hasContent("51200");
    group().lift();
    assertThat(folder.resolve("cpu.cfs_quota_us")).hasContent("-1");
    Files.createFile(folder.resolve("cpu.max"));
    Files.createFile(folder.resolve("cpu.weight"));
    group().hold(new CpuQuota(5000, 10000));
    assertThat(folder.resolve("cpu.max")).hasContent("5000 10000");
    assertThat(folder.resolve("cpu.weight")).hasContent("2000");
  }
}
