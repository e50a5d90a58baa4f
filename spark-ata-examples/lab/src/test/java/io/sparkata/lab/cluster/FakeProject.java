package io.sparkata.lab.cluster;

import io.sparkata.lab.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A checkout whose scripts only note how they were called. A file {@code on-NAME-ACTION} in the
 * root, if there is one, is run as shell by the script of that name.
 */
public final class FakeProject implements AutoCloseable {
  private static final String SCRIPT =
      """
      #!/usr/bin/env bash
      root=$(cd "$(dirname "$0")/.." && pwd)
      name=$(basename "$0")
      action=
      [[ $name == submit ]] || action=-$1
      echo "$name $*" >>"$root/calls"
      env | grep -E '^(ATA_CLUSTER_ENFORCE|SPARK_LOCAL_IP)=' >"$root/environment$action" || true
      [[ ! -f $root/on-$name$action ]] || source "$root/on-$name$action"
      """;

  private final Path root;
  private final Map<String, String> properties;

  /** Writes the scripts and has {@link Project} find them; no cluster runs. */
  public FakeProject(Path root) throws IOException {
    this.root = root;
    Files.createDirectories(root.resolve("scripts"));
    Files.createDirectories(root.resolve("target"));
    for (String name : List.of("ata", "cluster", "submit")) {
      Path script = root.resolve("scripts").resolve(name);
      Files.writeString(script, SCRIPT);
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    properties =
        Map.of(
            "ata.root", root.toString(),
            "ata.labJar", root.resolve("lab.jar").toString(),
            "ata.pluginJar", root.resolve("plugin.jar").toString(),
            "ata.profile", "spark-3.5",
            "ata.version", "1.2.3",
            "ata.commit", "abcdef0",
            "ata.meminfo", root.resolve("meminfo").toString());
    properties.forEach(System::setProperty);
    memory(64 << 10);
    Files.createDirectories(root.resolve("spark/jars"));
    Files.writeString(root.resolve("spark/jars/spark-core_2.13-3.5.6.jar"), "");
    on("ata---spark-home", "echo $root/spark");
    on(
        "cluster-start",
        """
        d=$*; d=${d#*--dir }; d=${d%% *}; mkdir -p $d
        [[ $* == *yarn* ]] && m=yarn || m=spark://127.0.0.1:7077
        echo $m >$d/master-url
        """);
    on(
        "cluster-status",
        """
        [[ $* == *--json* ]] || exit 3
        echo '{"up":true,"cluster":{"enforcement":"CGROUP"}}'
        """);
  }

  /** Takes it away from {@link Project} again. */
  @Override
  public void close() {
    properties.keySet().forEach(System::clearProperty);
  }

  /**
   * Has a script do more.
   *
   * @param when {@code submit}, or the script and its action: {@code cluster-stop}
   */
  public FakeProject on(String when, String shell) throws IOException {
    Files.writeString(root.resolve("on-" + when), shell + "\n");
    return this;
  }

  /** Sets how much memory is available. */
  public FakeProject memory(int mib) throws IOException {
    Files.writeString(root.resolve("meminfo"), "MemAvailable:   " + mib * 1024L + " kB\n");
    return this;
  }

  /** All calls so far: the script's name and its arguments. */
  public List<String> calls() throws IOException {
    Path file = root.resolve("calls");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  /** The first two words of each call: the script and its action or first option. */
  public List<String> actions() throws IOException {
    return calls().stream().map(call -> call.replaceAll("^(\\S+ \\S+).*", "$1")).toList();
  }

  /** What a script found in its environment, by the action. */
  public Map<String, String> environment(String action) throws IOException {
    return Files.readAllLines(root.resolve("environment" + action)).stream()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(line -> line[0], line -> line[1]));
  }
}
