package io.sparkata.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Quick mode from end to end, and every message of the command line. */
class ReproducePaperTest {
  private static final int METHODS = Method.BUILT_IN.size();

  @TempDir private Path folder;

  private String err = "";
  private Path loss;
  private Path out;

  @BeforeEach
  void writeLoss() throws IOException {
    loss = folder.resolve("loss.csv");
    out = folder.resolve("paper");
    Files.writeString(loss, "update,loss\n100,2.3\n200,0.45\n300,0.2\n");
    Files.writeString(
        folder.resolve("loss.json"), "{\n  \"command\": \"scripts/ata train-cnn it\",\n}\n");
  }

  @Test
  void run_quick_writesFiguresNumbersAndReport() throws Exception {
    assertThat(reproduce("--quick", "--rounds=220")).as(err).isZero();

    assertThat(names())
        .containsExactly(
            "README.md",
            "cnn.csv",
            "cnn.png",
            "cnn.svg",
            "figure1-linear.csv",
            "figure1-linear.png",
            "figure1-linear.svg",
            "figure1-sqrt.csv",
            "figure1-sqrt.png",
            "figure1-sqrt.svg",
            "mixed.csv",
            "mixed.png",
            "mixed.svg",
            "quadratic.csv");
    int points = RoundGrid.of(220).length;
    assertCurves("figure1-sqrt.csv", points, "17", "51");
    assertCurves("figure1-linear.csv", points, "17", "51");
    assertCurves("mixed.csv", points, "15", "45");
    assertThat(lines("quadratic.csv"))
        .hasSize(1 + points)
        .startsWith("round,suboptimality")
        .element(points)
        .asString()
        .matches("220,\\d+\\.\\d+");
    assertFigure("mixed", 4, 2);
    assertFigure("cnn", 2, 1);
    assertThat(err)
        .contains("s] linear, n = 51: ata-empirical", "s] report: " + out.resolve("README.md"));
  }

  @Test
  void run_quick_replaysTheLossAsFarAsItGoes() throws IOException {
    assertThat(reproduce("--quick", "--rounds=400")).as(err).isZero();

    List<String> replay = lines("cnn.csv");
    assertThat(replay.get(0)).isEqualTo("method,round,runtime,worker_time,loss");
    assertThat(replay.subList(1, replay.size()))
        .allMatch(line -> line.matches("[a-z-]+,[123]\\d\\d,[\\d.E]+,[\\d.E]+,(2.3|0.45|0.2)"))
        .filteredOn(line -> line.matches("[a-z-]+,300,.*,0.2"))
        .hasSize(METHODS);
    assertThat(report())
        .contains("The training ended at update 300.", "| 0.2000 (the end) | 300 |");
  }

  @Test
  void run_quick_reportsCommandAndSources() throws IOException {
    assertThat(reproduce("--quick", "--rounds=200", "--seed=3")).as(err).isZero();

    assertThat(report())
        .contains(
            "`scripts/ata reproduce-paper --quick --rounds 200 --seed 3`",
            "seed 3",
            "after 200 rounds",
            "The poster has 750,000 rounds. Run as many to compare.",
            "| OFTA (optimal-fixed) |",
            "Fashion-MNIST's (28 x 28 x 1, 10 classes), not CIFAR-100's",
            "Made by: `scripts/ata train-cnn it`.",
            "| 0.50 | 200 |",
            "![figure1-sqrt](figure1-sqrt.png)",
            "![figure1-linear](figure1-linear.png)",
            "![mixed](mixed.png)",
            "![cnn](cnn.png)")
        .doesNotContain(folder.toString(), "%");
  }

  @Test
  void run_sameSeedTwice_writesTheSameBytes() throws IOException {
    reproduce("--quick", "--rounds=200");
    List<byte[]> first = contents();
    reproduce("--quick", "--rounds=200");

    assertThat(contents()).containsExactlyElementsOf(first);
  }

  @Test
  void run_lossWithoutProvenance_saysSo() throws IOException {
    Files.delete(folder.resolve("loss.json"));
    reproduce("--quick", "--rounds=200");
    assertThat(report()).contains("Made by: not known, there is no loss.json.");

    Files.writeString(folder.resolve("loss.json"), "{}\n");
    reproduce("--quick", "--rounds=200");
    assertThat(report()).contains("Made by: not known, loss.json has no command.");
  }

  @Test
  void run_roundsOutOfRange_exitsWith2() {
    assertThat(reproduce("--rounds=199")).isEqualTo(2);
    assertThat(err).startsWith("Invalid --rounds: 199 (a whole number from 200 to 100000000)");
  }

  @Test
  void run_roundsThatAreNoNumber_exitsWith2() {
    assertThat(reproduce("--rounds=many")).isEqualTo(2);
    assertThat(err).startsWith("Invalid --rounds: many (a whole number)");
  }

  @Test
  void run_unknownOption_exitsWith2() {
    assertThat(reproduce("--slow")).isEqualTo(2);
    assertThat(err).startsWith("Invalid option: --slow (unknown)");
  }

  @Test
  void run_noLossCurve_exitsWith1() throws IOException {
    Files.delete(loss);

    assertThat(reproduce("--quick")).isEqualTo(1);
    assertThat(err)
        .isEqualToIgnoringNewLines(
            "Cannot replay a loss curve: there is no "
                + loss
                + ". Set --loss=<a file of scripts/ata train-cnn>");
  }

  @Test
  void run_lossStartsBehindTheRounds_exitsWith1() throws IOException {
    Files.writeString(loss, "update,loss\n500,2.3\n");

    assertThat(reproduce("--quick", "--rounds=300")).isEqualTo(1);
    assertThat(err)
        .isEqualToIgnoringNewLines(
            "Cannot replay "
                + loss
                + ": it starts at update 500, after the last round. Set --rounds=500 or more.");
  }

  @Test
  void run_outIsAFile_exitsWith1() throws IOException {
    Files.writeString(out, "in the way");

    assertThat(reproduce("--quick")).isEqualTo(1);
    assertThat(err)
        .startsWith("Cannot create " + out + ": ")
        .contains(". Set --out=<a folder to write to>");
  }

  private void assertCurves(String name, int points, String... workers) throws IOException {
    List<String> lines = lines(name);
    assertThat(lines).hasSize(1 + workers.length * METHODS * points);
    assertThat(lines.get(0)).isEqualTo("workers,method,round,runtime,worker_time,regret");
    assertThat(lines.subList(1, lines.size()))
        .allMatch(line -> line.matches("\\d+,[a-z-]+,\\d+,[\\d.E]+,[\\d.E]+,[\\d.E]*"))
        .allMatch(line -> line.endsWith(",") == line.contains(",greedy,"));
    assertThat(lines.stream().skip(1).map(line -> line.substring(0, line.indexOf(','))).distinct())
        .containsExactly(workers);
  }

  private void assertFigure(String stem, int columns, int rows) throws Exception {
    int width = columns * Panels.PANEL_WIDTH;
    int height = Panels.LEGEND_HEIGHT + rows * Panels.PANEL_HEIGHT;
    BufferedImage png = ImageIO.read(out.resolve(stem + ".png").toFile());
    assertThat(png.getWidth()).isEqualTo(width);
    assertThat(png.getHeight()).isEqualTo(height);
    // Without the document type, which would be looked up.
    String text = Files.readString(out.resolve(stem + ".svg"));
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    Element svg =
        factory
            .newDocumentBuilder()
            .parse(out.resolve(stem + ".svg").toFile())
            .getDocumentElement();
    assertThat(svg.getTagName()).isEqualTo("svg");
    assertThat(svg.getAttribute("width")).isEqualTo(Integer.toString(width));
    assertThat(svg.getElementsByTagName("polyline").getLength()).isGreaterThan(METHODS);
    assertThat(text).contains(">UTA (uniform)<").doesNotContain("<line", "<image");
  }

  private int reproduce(String... options) {
    List<String> arguments =
        Stream.concat(
                Stream.of("reproduce-paper", "--loss=" + loss, "--out=" + out), Stream.of(options))
            .toList();
    AtaRun run = AtaRun.of(arguments.toArray(new String[0]));
    err = run.err();
    return run.status();
  }

  private Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(out)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }

  private List<byte[]> contents() throws IOException {
    return names().stream().map(this::bytes).toList();
  }

  private byte[] bytes(String name) {
    try {
      return Files.readAllBytes(out.resolve(name));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(out.resolve(name));
  }

  private String report() throws IOException {
    return Files.readString(out.resolve("README.md"));
  }
}
