package io.sparkata.tools.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharesChartTest {
  @TempDir private Path folder;

  @Test
  void write_equalShares_makesAPngOfItsSizeInANewFolder() throws IOException {
    Path file = folder.resolve("new").resolve("shares.png");
    Map<String, Double> equal = new LinkedHashMap<>();
    equal.put("0", 1.0);
    equal.put("1", 1.0);
    UnevenExecutors executors = new UnevenExecutors(equal);
    List<Map<String, Long>> rounds =
        IntStream.range(0, 12).mapToObj(i -> Map.of("0", 50L + i, "1", 50L - i)).toList();

    new SharesChart("title", executors, rounds)
        .levels("by CPU share", executors.proportional(100))
        .write(file);

    BufferedImage image = ImageIO.read(file.toFile());
    assertThat(image.getWidth()).isEqualTo(SharesChart.WIDTH);
    assertThat(image.getHeight()).isEqualTo(SharesChart.HEIGHT);
    assertThat(image.getRGB(1, 1)).as("background").isEqualTo(0xFFFFFFFF);
    assertThat(Files.size(file)).isLessThan(100_000);
  }

  @Test
  void proportional_speeds_sharesTheTotalOut() {
    assertThat(SharesChart.proportional(Map.of("0", 300.0, "1", 100.0), 200))
        .isEqualTo(Map.of("0", 150.0, "1", 50.0));
  }
}
