package io.sparkata.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuGroupTest {
  @TempDir private Path folder;

  private CpuGroup group() {
    return new CpuGroup(folder);
  }

  @ParameterizedTest
  @CsvSource({
    "'3:cpuset:/s\n2:cpu,cpuacct:/a/b\n0::/c\n', cpu/a/b cpu/a cpu",
    "'4:memory:/m\n0::/user/x\n', user/x user .",
    "'0::/\n', ."
  })
  void of_textOfTheKernel_isTheGroupOfTheCpuControllerAndThoseAbove(String text, String folders) {
    assertThat(CpuGroup.of(text.replace("\\n", "\n")))
        .extracting(CpuGroup::folder)
        .containsExactly(
            Stream.of(folders.split(" ", -1))
                .map(name -> Path.of("/sys/fs/cgroup", name).normalize())
                .toArray(Path[]::new));
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
