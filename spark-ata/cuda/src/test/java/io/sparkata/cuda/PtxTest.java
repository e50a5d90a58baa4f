package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.blocks.DenseBlock;
import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.cuda.GradientRequest.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The PTX in the repository. {@code scripts/compile-gpu-kernels --check} compiles it again. */
class PtxTest {
  @Test
  void ptx_always_isOfTheSource() throws IOException, NoSuchAlgorithmException {
    byte[] source = Files.readAllBytes(Path.of("src", "main", "cuda", "gradients.cu"));
    assertThat(ptx())
        .as("else run scripts/compile-gpu-kernels")
        .startsWith("// " + sha256(source) + " spark-ata/cuda/src/main/cuda/gradients.cu\n")
        .contains("\n.version 6.3\n", "\n.target sm_75\n");
  }

  @Test
  void ptx_always_isAsCompiled() throws IOException, NoSuchAlgorithmException {
    String[] parts = ptx().split("\n", 3);
    assertThat(parts[1])
        .as("else run scripts/compile-gpu-kernels")
        .isEqualTo(
            "// " + sha256(parts[2].getBytes(StandardCharsets.ISO_8859_1)) + " the lines below");
  }

  @Test
  void ptx_always_hasTheKernelsThatAreLaunchedAndNoOther() {
    Set<String> launched = new HashSet<>(Set.of("sum_partials"));
    double[] none = {};
    for (boolean isSingle : new boolean[] {true, false}) {
      for (int width = 1; width < 10_000; width++) {
        DenseBlock dense = new DenseBlock(1, none, width, none);
        launched.add(LaunchShape.of(request(dense, 1, width), 1, isSingle).kernel());
      }
      SparseBlock sparse = new SparseBlock(1, none, 9, new int[1], new int[0], none);
      launched.add(LaunchShape.of(request(sparse, 1, 9), 1, isSingle).kernel());
      launched.add(LaunchShape.factorsKernel(isSingle));
      launched.add(LaunchShape.ofClasses(request(sparse, 1, 18), 1, isSingle).kernel());
      DenseBlock dense = new DenseBlock(1, none, 9, none);
      launched.add(LaunchShape.ofClasses(request(dense, 1, 18), 1, isSingle).kernel());
    }
    assertThat(FakeKernels.names()).isEqualTo(launched);
  }

  /** Kernels lay out their registers by these numbers: another shape would give wrong sums. */
  @Test
  void ptx_denseKernels_areBoundToTheShapesTheyAreLaunchedIn() throws IOException {
    String ptx = ptx();
    double[] none = {};
    for (boolean isSingle : new boolean[] {true, false}) {
      for (int width : new int[] {1, 33, 65, 129, 257, 1000, 1025, 2049, 8000, 9000}) {
        DenseBlock dense = new DenseBlock(1, none, width, none);
        GradientRequest many = request(dense, Integer.MAX_VALUE / 8, width);
        LaunchShape shape = LaunchShape.of(many, 1, isSingle);
        int begin = ptx.indexOf(".entry " + shape.kernel() + "(");
        String bounds = ptx.substring(begin, ptx.indexOf('{', begin));
        assertThat(bounds).contains(".maxntid " + shape.threads() + ", 1, 1");
        if (bounds.contains(".minnctapersm")) {
          assertThat(bounds).contains(".minnctapersm " + shape.blocks() + "\n");
        }
      }
    }
    assertThat(ptx.split("minnctapersm", -1)).hasSize(1 + 2 * 8);
  }

  private static GradientRequest request(PackedBlock block, int count, int weights) {
    List<Part> parts = List.of(new Part(block, /* rows= */ null, /* first= */ 0, count));
    return new GradientRequest(/* loss= */ 0, parts, new double[weights]);
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static String ptx() throws IOException {
    try (InputStream text = PtxTest.class.getResourceAsStream("/io/sparkata/cuda/gradients.ptx")) {
      return new String(text.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
