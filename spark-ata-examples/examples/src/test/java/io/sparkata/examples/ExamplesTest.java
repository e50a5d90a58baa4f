package io.sparkata.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each example as spark-submit would, in local mode, with Spark ATA on and off. */
class ExamplesTest {
  private static final int ROWS = 400;

  @TempDir private Path folder;
  private String data;

  @BeforeEach
  void writeData() throws IOException {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextGaussian();
      double y = random.nextGaussian();
      text.append(x + 0.5 * y > 0 ? 1 : 0).append(" 1:" + x).append(" 2:" + y).append('\n');
    }
    data = Files.writeString(folder.resolve("data.libsvm"), text).toString();
  }

  @Test
  void trainByFlag_onAndOff_printsTheSameNorm() throws IOException {
    assertSame(TrainByFlag::main, "adaptive");
  }

  @Test
  void trainByFlag_ownPolicy_printsTheSameNorm() throws IOException {
    assertSame(TrainByFlag::main, LastSpeedPolicy.class.getName());
  }

  @Test
  void ownGradient_onAndOff_printsTheSameNorm() throws IOException {
    assertSame(OwnGradient::main, "adaptive");
  }

  @Test
  void lastSpeedPolicy_timesOneAndThree_givesThreeQuartersToTheFaster() {
    LastSpeedPolicy policy = new LastSpeedPolicy();
    assertThat(policy.allocate(List.of("a", "b"), 8)).containsExactly(4, 4);

    policy.observe("a", 4, 12);
    policy.observe("b", 4, 4);

    assertThat(policy.allocate(List.of("a", "b"), 8)).containsExactly(2, 6);
    assertThat(policy.allocate(List.of("a", "b", "new"), 9))
        .satisfies(units -> assertThat(sum(units)).isEqualTo(9));
  }

  private static int sum(int[] units) {
    return Arrays.stream(units).sum();
  }

  private void assertSame(Consumer<String[]> program, String policy) throws IOException {
    double stock = norm(program, Map.of("spark.ata.enabled", "false"));
    Path rounds = folder.resolve("rounds-" + policy);
    double ours =
        norm(
            program,
            Map.of(
                "spark.ata.enabled", "true",
                "spark.ata.passThrough", "never", // one executor only
                "spark.ata.onError", "fail",
                "spark.ata.policy", policy,
                "spark.ata.roundLog.path", rounds.toUri().toString()));

    assertThat(stock).isPositive();
    assertThat(ours).isCloseTo(stock, within(1e-9 * stock));
    try (var logs = Files.list(rounds)) {
      assertThat(logs).hasSize(1);
    }
  }

  /** With settings as {@code --conf} gives them. */
  private double norm(Consumer<String[]> program, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.master", "local[2]");
    all.put("spark.ui.enabled", "false");
    all.put("spark.plugins", "io.sparkata.AtaPlugin");
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    all.forEach(System::setProperty);
    System.setOut(new PrintStream(printed, /* autoFlush= */ true, StandardCharsets.UTF_8));
    try {
      program.accept(new String[] {data});
    } finally {
      System.setOut(console);
      all.keySet().forEach(System::clearProperty);
    }
    String line =
        printed
            .toString(StandardCharsets.UTF_8)
            .lines()
            .filter(text -> text.startsWith("norm of the weights: "))
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(line.substring(line.indexOf(": ") + 2));
  }
}
