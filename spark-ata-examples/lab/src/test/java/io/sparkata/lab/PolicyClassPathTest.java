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

/** The example of a policy of one's own, in a jar that no class path of ours has. */
class PolicyClassPathTest {
  private static final String POLICY = "com.example.LastSpeedPolicy";

  @TempDir private static Path folder;
  private static Path jar;

  @BeforeAll
  static void compile() throws IOException {
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
                "../examples/own-policy/src/main/java/com/example/LastSpeedPolicy.java");
    assertThat(status).isZero();
    jar = folder.resolve("my policy.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file)) {
      String name = "com/example/LastSpeedPolicy.class";
      entries.putNextEntry(new JarEntry(name));
      Files.copy(folder.resolve(name), entries);
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
    assertThat(json.get("runtime").asDouble()).isPositive();
  }

  @Test
  void simulate_policyWithoutItsJar_isRefused() {
    AtaRun run = AtaRun.of("simulate", "--policy", POLICY);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .startsWith(
            "Invalid --policy: com.example.LastSpeedPolicy (this class is not on the class path. Set"
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
        .anyMatch(line -> line.startsWith("| LastSpeedPolicy (yours) |"))
        .filteredOn(line -> line.startsWith("| n |") || line.startsWith("| training loss"))
        .hasSize(4)
        .allMatch(line -> line.endsWith("| LastSpeedPolicy (yours) |"));
    assertThat(report)
        .anyMatch(
            line -> line.contains("--seed 1 --policy") || line.contains("--policy " + POLICY));
    assertThat(Files.readString(out.resolve("figure1-linear.csv"))).contains("," + POLICY + ",");
  }
}
