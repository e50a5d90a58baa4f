package io.sparkata.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy of a researcher's own, in a jar that no class path of ours has. */
class PolicyClassPathTest {
  private static final String POLICY = "my.FirstTakesAll";

  @TempDir private static Path folder;
  private static Path jar;

  @BeforeAll
  static void compile() throws IOException {
    Path source =
        Files.writeString(
            folder.resolve("FirstTakesAll.java"),
            """
            package my;

            public class FirstTakesAll implements io.sparkata.allocation.AllocationPolicy {
              @Override public String id() { return "first"; }

              @Override public int[] allocate(java.util.List<String> workers, int budget) {
                int[] units = new int[workers.size()];
                units[0] = budget;
                return units;
              }

              @Override public void observe(String worker, double units, double time) {}

              @Override public double meanTime(String worker) { return Double.NaN; }
            }
            """);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.toString(),
                source.toString());
    assertThat(status).isZero();
    jar = folder.resolve("my policy.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file)) {
      entries.putNextEntry(new JarEntry("my/FirstTakesAll.class"));
      Files.copy(folder.resolve("my/FirstTakesAll.class"), entries);
    }
  }

  @Test
  void simulate_policyOnTheClassPath_isRun() throws IOException {
    AtaRun run =
        AtaRun.of(
            "simulate", "--policy", POLICY, "--classpath", jar.toString(), "--json", "--rounds=20");

    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("policy").asText()).isEqualTo(POLICY);
    assertThat(json.get("runtime").asDouble())
        .isGreaterThan(json.get("optimalFixedRuntime").asDouble());
  }

  @Test
  void simulate_policyWithoutItsJar_isRefused() {
    AtaRun run = AtaRun.of("simulate", "--policy", POLICY);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "Invalid --policy: my.FirstTakesAll (this class is not on the class path. Set"
                + " --classpath=<its jar>)")
        .doesNotContain("or a class name");
  }

  @Test
  void reproducePaper_policyOnTheClassPath_isInEveryTable() throws IOException {
    Path out = folder.resolve("paper");

    AtaRun run =
        AtaRun.of(
            "reproduce-paper",
            "--quick",
            "--rounds=200",
            "--policy=" + POLICY,
            "--classpath=" + jar,
            "--out=" + out);

    assertThat(run.status()).as(run.err()).isZero();
    List<String> report = Files.readAllLines(out.resolve("results.md"));
    assertThat(report)
        .anyMatch(line -> line.startsWith("| FirstTakesAll (yours) |"))
        .filteredOn(line -> line.startsWith("| n |") || line.startsWith("| training loss"))
        .hasSize(4)
        .allMatch(line -> line.endsWith("| FirstTakesAll (yours) |"));
    assertThat(report)
        .anyMatch(
            line -> line.contains("--seed 1 --policy") || line.contains("--policy " + POLICY));
    assertThat(Files.readString(out.resolve("figure1-linear.csv"))).contains("," + POLICY + ",");
  }
}
