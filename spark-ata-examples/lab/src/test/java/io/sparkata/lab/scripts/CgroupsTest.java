package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupsTest {
  private static final String V1 =
      """
      tmpfs /sys/fs/cgroup tmpfs rw 0 0
      cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
      cgroup /sys/fs/cgroup/cpu cgroup rw,cpuacct,cpu 0 0
      """;

  @TempDir private Path folder;

  @Test
  void mount_v1_isThatOfTheCpuController() {
    Cgroups cgroups = new Cgroups(V1, "4:memory:/m\n3:cpuset:/s\n2:cpu,cpuacct:/a/b\n0::/c\n");
    assertThat(cgroups.mount(Enforcement.V1)).contains(Path.of("/sys/fs/cgroup/cpu"));
    assertThat(cgroups.mount(Enforcement.V2)).isEmpty();
    assertThat(cgroups.group(Enforcement.V1)).isEqualTo(Path.of("a/b"));
  }

  @Test
  void mount_v2_isTheOneOfAllControllers() {
    Cgroups cgroups = new Cgroups("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n", "0::/user/x\n");
    assertThat(cgroups.mount(Enforcement.V1)).isEmpty();
    assertThat(cgroups.mount(Enforcement.V2)).contains(Path.of("/sys/fs/cgroup"));
    assertThat(cgroups.group(Enforcement.V2)).isEqualTo(Path.of("user/x"));
    assertThat(new Cgroups("", "0::/\n").group(Enforcement.V2)).isEqualTo(Path.of(""));
  }

  @ParameterizedTest
  @CsvSource({"150000 100000, 1.5", "max 100000, Infinity"})
  void quota_v2_isThatOfTheOwnGroup(String text, double cpus) throws IOException {
    Files.createDirectory(folder.resolve("own"));
    Files.writeString(folder.resolve("own/cpu.max"), text + "\n");
    assertThat(v2().quota()).isEqualTo(cpus);
  }

  @ParameterizedTest
  @CsvSource({"50000, 0.5", "-1, Infinity"})
  void quota_v1_isThatOfTheOwnGroup(String quota, double cpus) throws IOException {
    Files.createDirectory(folder.resolve("own"));
    Files.writeString(folder.resolve("own/cpu.cfs_quota_us"), quota + "\n");
    Files.writeString(folder.resolve("own/cpu.cfs_period_us"), "100000\n");
    Cgroups cgroups = new Cgroups("cgroup " + folder + " cgroup rw,cpu 0 0\n", "2:cpu:/own\n");
    assertThat(cgroups.quota()).isEqualTo(cpus);
  }

  @Test
  void quota_noFile_isNone() {
    assertThat(v2().quota()).isInfinite();
    assertThat(new Cgroups("", "").quota()).isInfinite();
  }

  @Test
  void named_groupsAnywhere_areFoundByPrefix() throws IOException {
    Files.createDirectories(folder.resolve("a/b/spark-ata-7-x"));
    Files.createDirectories(folder.resolve("spark-ata-7-y"));
    Files.createDirectories(folder.resolve("spark-ata-77-z"));
    assertThat(v2().named("spark-ata-7-"))
        .containsExactlyInAnyOrder(
            folder.resolve("a/b/spark-ata-7-x"), folder.resolve("spark-ata-7-y"));
  }

  @Test
  void hold_v1AndV2_writeQuotaAndWeight() throws IOException {
    for (String file : new String[] {"cpu.cfs_period_us", "cpu.cfs_quota_us", "cpu.shares"}) {
      Files.createFile(folder.resolve(file));
    }
    Enforcement.V1.hold(folder, 5000, 10000);
    assertThat(folder.resolve("cpu.cfs_quota_us")).hasContent("5000");
    assertThat(folder.resolve("cpu.cfs_period_us")).hasContent("10000");
    assertThat(folder.resolve("cpu.shares")).hasContent("51200");
    Files.createFile(folder.resolve("cpu.max"));
    Files.createFile(folder.resolve("cpu.weight"));
    Enforcement.V2.hold(folder, 5000, 10000);
    assertThat(folder.resolve("cpu.max")).hasContent("5000 10000");
    assertThat(folder.resolve("cpu.weight")).hasContent("2000");
  }

  @ParameterizedTest
  @CsvSource({"0-1, '0,1'", "'3,5-7,9', '3,5,6'", "4, 4"})
  void cpus_list_isParsed(String list, String firstThree) {
    assertThat(Cpus.parse(list).first(3)).isEqualTo(firstThree);
  }

  private Cgroups v2() {
    return new Cgroups("cgroup2 " + folder + " cgroup2 rw 0 0\n", "0::/own\n");
  }
}
