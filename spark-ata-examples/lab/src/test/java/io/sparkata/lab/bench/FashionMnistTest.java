package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sparkata.lab.cnn.IdxFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.DenseVector;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

class FashionMnistTest {
  private static final int IMAGES = 1_003;
  private static final int PIXELS = IdxFiles.SIDE * IdxFiles.SIDE;

  @TempDir private Path folder;

  @Test
  void rdd_severalParts_areTheImagesInOrderWithoutTheirPixelsInTheTask() throws IOException {
    IdxFiles.write(folder, "train", IMAGES);
    FashionMnist images = FashionMnist.read(folder, "train", 3);
    assertThat(images.rows()).isEqualTo(IMAGES);
    assertThat(images.size()).isEqualTo(PIXELS);

    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("fashion-mnist")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      JavaRDD<Tuple2<Object, Vector>> rdd = images.rdd(context, 4);

      assertThat(serialised(rdd)).as("bytes of a task").isLessThan(IMAGES * PIXELS / 4);
      assertThat(rdd.glom().collect()).extracting(List::size).containsExactly(250, 251, 251, 251);
      List<Tuple2<Object, Vector>> rows = rdd.collect();
      for (int i = 0; i < IMAGES; i++) {
        assertThat(rows.get(i)._1()).as("label of image %d", i).isEqualTo(i % 10 == 3 ? 1.0 : 0.0);
        assertThat(rows.get(i)._2()).isInstanceOf(DenseVector.class);
        double[] pixels = rows.get(i)._2().toArray();
        assertThat(pixels).hasSize(PIXELS);
        int stripe = i % 10 * IdxFiles.SIDE;
        assertThat(pixels[stripe]).as("stripe of image %d", i).isEqualTo((200 + i % 50) / 255.0);
        assertThat(pixels[PIXELS - 1]).as("rest of image %d", i).isEqualTo(i % 30 / 255.0);
      }
    }
  }

  @Test
  void read_noSuchClass_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FashionMnist.read(folder, "train", 10))
        .withMessage("Invalid class: 10 (0 to 9)");
  }

  private static int serialised(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.size();
  }
}
