package io.sparkata.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharesChartTest {
  @TempDir private Path folder;

  @Test
  void write_someRounds_makesAPngOfItsSizeInANewFolder() throws IOException {
    Path file = folder.resolve("new").resolve("shares.png");
    List<Map<String, Long>> rounds =
        IntStream.range(0, 12).mapToObj(i -> Map.of("0", 50L + i, "1", 50L - i)).toList();

    new SharesChart("title", Map.of("0", "fast", "1", "slow"), rounds).write(file);

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(SharesChart.WIDTH);
    assertThat(image.getHeight()).isEqualTo(SharesChart.HEIGHT);
    assertThat(image.getRGB(1, 1)).as("background").isEqualTo(0xFFFFFFFF);
    assertThat(Files.size(file)).isLessThan(100_000);
  }
}
