package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharesChartTest {
  @TempDir private Path folder;

  @Test
  void write_rounds_makesAPngOfItsSizeInANewFolder() throws IOException {
    Path file = folder.resolve("new").resolve("shares.png");
    List<Map<String, Long>> rounds =
        IntStream.range(0, 12).mapToObj(i -> Map.of("0", 50L + i, "1", 50L - i)).toList();

    SharesChart.write(
        file,
        new TreeMap<>(Map.of("0", "executor 0", "1", "executor 1")),
        rounds,
        Map.of("0", 60.0, "1", 40.0),
        50);

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(SharesChart.WIDTH);
    assertThat(image.getHeight()).isEqualTo(SharesChart.HEIGHT);
    assertThat(image.getRGB(1, 1)).as("background").isEqualTo(0xFFFFFFFF);
  }
}
