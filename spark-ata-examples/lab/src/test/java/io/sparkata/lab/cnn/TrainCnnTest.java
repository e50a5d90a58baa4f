package io.sparkata.lab.cnn;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainCnnTest {
  @TempDir private Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    IdxFiles.write(folder, "train", 50);
  }

  @Test
  void run_smallImages_learnsAndWritesTheCurve() throws IOException {
    Path csv = folder.resolve("new").resolve("curve.csv");

    AtaRun run = train("--updates=400 --out=" + csv);

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("update 400 of 400: loss ");
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines).hasSize(5).first().isEqualTo("update,loss");
    assertThat(lines.subList(1, 5)).allMatch(line -> line.matches("\\d+00,\\d+\\.\\d{5}"));
    assertThat(loss(lines.get(4))).isLessThan(loss(lines.get(1)) / 4);
  }

  @Test
  void run_sameSeedTwice_givesTheSameCurve() throws IOException {
    assertThat(curve("7")).isEqualTo(curve("7")).isNotEqualTo(curve("8"));
  }

  @Test
  void run_outBelowAFile_exitsWith1() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("file"), "");

    AtaRun run = train("--out=" + inTheWay.resolve("curve.csv"));

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("Cannot create " + inTheWay + ": ", ". Set --out=<a file>");
  }

  private String curve(String seed) throws IOException {
    Path csv = folder.resolve("curve.csv");
    train("--updates=100 --seed=" + seed + " --out=" + csv);
    return Files.readString(csv);
  }

  private AtaRun train(String options) {
    return AtaRun.of(("train-cnn --images=" + folder + " " + options).split(" ", -1));
  }

  private static double loss(String line) {
    return Double.parseDouble(line.substring(line.indexOf(',') + 1));
  }
}
