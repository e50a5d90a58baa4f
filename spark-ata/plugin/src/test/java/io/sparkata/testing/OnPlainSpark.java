package io.sparkata.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests of one application on a {@link PlainSpark} of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OnPlainSpark {
  @TempDir protected static Path folder;

  protected PlainSpark spark;
  protected Path app;

  /** The weights by Spark alone, which subclasses set. */
  protected Vector stock;

  private final String appName;
  private int outputs;

  /**
   * @param appName as {@link PlainSpark#compile} takes it
   */
  protected OnPlainSpark(String appName) {
    this.appName = appName;
  }

  @BeforeAll
  protected void install() throws IOException {
    spark = new PlainSpark(folder);
    app = spark.compile(appName);
  }

  @AfterAll
  protected void uninstall() throws IOException {
    spark.close();
  }

  /** A new file for a run's weights. */
  protected final Path output() {
    return folder.resolve("weights-" + outputs++);
  }

  protected static Vector read(Path weights) throws IOException {
    return Vectors.dense(
        Files.readAllLines(weights).stream().mapToDouble(Double::parseDouble).toArray());
  }

  protected final void assertStock(Vector weights) {
    double difference = Math.sqrt(Vectors.sqdist(weights, stock));
    assertThat(difference / Vectors.norm(stock, 2)).isLessThanOrEqualTo(1e-9);
  }
}
