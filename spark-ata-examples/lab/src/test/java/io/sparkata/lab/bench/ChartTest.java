package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartTest {
  @TempDir private Path folder;

  private static Result.Row row(Map<String, List<Double>> series) {
    return new Result.Row(
        "2,1", "flights-9", "rows", "adaptive", 3, 1, Map.of(), series, List.of());
  }

  @Test
  void shares_someRounds_makeAPngOfItsSizeInANewFolder() throws IOException {
    Path file = folder.resolve("new").resolve("shares.png");

    Chart.shares(
        file,
        row(
            Map.of(
                "percentOfExecutor1", List.of(50.0, 60.0, 66.0),
                "percentOfExecutor2", List.of(50.0, 40.0, 34.0))));

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(Chart.WIDTH);
    assertThat(image.getRGB(1, 1)).as("background").isEqualTo(0xFFFFFFFF);
    assertThat(Files.size(file)).isLessThan(100_000);
  }

  @Test
  void write_losses_drawsThem() throws IOException {
    Result.Row losses =
        row(
            Map.of(
                "pointSeconds", List.of(0.0, 1.0),
                "pointKernelSeconds", List.of(0.0, 2.0),
                "pointLosses", List.of(4.0, 1.0)));

    assertThat(Chart.write(folder, "cnn", List.of(losses))).isTrue();
    assertThat(folder.resolve("cnn.png")).isNotEmptyFile();
  }

  @Test
  void write_nothingToDraw_writesNoFile() throws IOException {
    assertThat(Chart.write(folder, "none", List.of(row(Map.of())))).isFalse();
    assertThat(folder).isEmptyDirectory();
  }
}
