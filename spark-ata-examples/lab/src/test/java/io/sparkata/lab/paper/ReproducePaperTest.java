package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.Charts;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quick mode from end to end. */
class ReproducePaperTest {
  private static final int METHODS = Method.BUILT_IN.size();

  @TempDir private Path folder;

  private AtaRun run;
  private Path out;

  @BeforeEach
  void nameOut() {
    out = folder.resolve("paper");
  }

  @Test
  void run_quick_writesFiguresNumbersAndReport() throws IOException {
    reproduce("--quick --rounds=220 --seed=3");

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(out.toFile().list())
        .containsExactlyInAnyOrder(
            "cnn.png",
            "figure1-linear.csv",
            "figure1-linear.png",
            "figure1-sqrt.csv",
            "figure1-sqrt.png",
            "mixed.csv",
            "mixed.png",
            "quadratic.csv",
            "results.md");
    int points = Curve.grid(220).length;
    assertCurves("figure1-sqrt.csv", points, "17", "51");
    assertCurves("figure1-linear.csv", points, "17", "51");
    assertCurves("mixed.csv", points, "15", "45");
    assertThat(lines("quadratic.csv"))
        .hasSize(1 + points)
        .startsWith("round,suboptimality")
        .element(points)
        .asString()
        .matches("220,\\d+\\.\\d+");
    assertThat(Files.readString(out.resolve("results.md")))
        .contains(
            "`scripts/ata reproduce-paper --quick --rounds 220 --seed 3`",
            "after 220 rounds. The poster has 750,000 rounds. Run as many to compare.",
            "| OFTA (optimal-fixed) |",
            "The training ended at update 150,000, the replay at update 220.",
            "![figure1-sqrt](figure1-sqrt.png)",
            "| 0.9271 (the end) | 220 |")
        .doesNotContain(folder.toString(), "%");
    assertFigure("mixed", 4, 2);
    assertFigure("cnn", 2, 1);
    assertThat(run.err())
        .contains("s] linear, n = 51: ata-empirical", "s] report: " + out.resolve("results.md"));
  }

  @Test
  void run_outIsAFile_exitsWith1() throws IOException {
    Files.writeString(out, "in the way");
    reproduce("--quick");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("Cannot create " + out + ": ").contains(". Set --out=");
  }

  private void assertCurves(String name, int points, String... workers) throws IOException {
    List<String> lines = lines(name);
    assertThat(lines).hasSize(1 + workers.length * METHODS * points);
    assertThat(lines.get(0)).isEqualTo("workers,method,round,runtime,worker_time,regret");
    assertThat(lines.subList(1, lines.size()))
        .allMatch(line -> line.matches("\\d+,[a-z-]+,\\d+,[\\d.]+,[\\d.]+,[\\d.]*"))
        .allMatch(line -> line.endsWith(",") == line.contains(",greedy,"));
    assertThat(lines.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))).distinct())
        .containsExactly(workers);
  }

  private void assertFigure(String stem, int columns, int rows) throws IOException {
    BufferedImage png = ImageIO.read(out.resolve(stem + ".png").toFile());
    assertThat(png.getWidth()).isEqualTo(columns * Charts.WIDTH);
    assertThat(png.getHeight()).isEqualTo(Charts.LEGEND_HEIGHT + rows * Charts.HEIGHT);
    int[] pixels = png.getRGB(0, 0, png.getWidth(), png.getHeight(), null, 0, png.getWidth());
    for (Method method : Method.BUILT_IN) {
      assertThat(pixels).as(method.label()).contains(method.color().getRGB());
    }
  }

  private void reproduce(String options) {
    run = AtaRun.of(("reproduce-paper --out=" + out + " " + options).split(" ", -1));
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(out.resolve(name));
  }
}
