package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag;

/** Blocks on their way to another executor, by either of Spark's serializers. */
@Tag("spark")
class BlockSerializationTest {
  /** Around a piece of {@link NumberArrays}: 1,024 doubles, 2,048 ints. */
  private static final int[] SIZES = {0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 5000};

  private static final double[] SPECIAL = {
    -0.0, Double.NaN, Double.longBitsToDouble(0x7FF8_0000_0000_0001L), Double.MIN_VALUE
  };

  static Stream<Arguments> serializers() {
    return Stream.of(new JavaSerializer(new SparkConf()), new KryoSerializer(new SparkConf()))
        .flatMap(by -> IntStream.of(SIZES).mapToObj(size -> Arguments.of(by, size)));
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void dense_anySize_comesAsItWas(Serializer by, int size) {
    DenseBlock block = new DenseBlock(-7, numbers(size, 1), 3, numbers(3 * size, 2));
    DenseBlock arrived = (DenseBlock) send(block, by);

    assertSame(arrived, block);
    assertThat(bits(arrived.values())).isEqualTo(bits(block.values()));
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void sparse_anySize_comesAsItWas(Serializer by, int size) {
    for (boolean isAscending : new boolean[] {true, false}) {
      int[] starts = IntStream.rangeClosed(0, size).map(row -> 2 * row).toArray();
      int[] indices =
          IntStream.range(0, 2 * size).map(k -> isAscending ? k : 2 * size - k).toArray();
      double[] values = numbers(2 * size, 3);
      SparseBlock block = new SparseBlock(9, numbers(size, 4), 5001, starts, indices, values);
      SparseBlock arrived = (SparseBlock) send(block, by);

      assertSame(arrived, block);
      assertThat(arrived.isAscending()).isEqualTo(block.isAscending());
      assertThat(arrived.rowStarts()).isEqualTo(starts);
      assertThat(arrived.indices()).isEqualTo(indices);
      assertThat(arrived.codes()).isEmpty();
      assertThat(bits(arrived.values())).isEqualTo(bits(values));
    }
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void coded_anySize_comesAsItWas(Serializer by, int size) {
    int[] starts = IntStream.rangeClosed(0, size).toArray();
    double[] values = IntStream.range(0, size).mapToDouble(k -> SPECIAL[k % 2]).toArray();
    SparseBlock plain =
        new SparseBlock(9, numbers(size, 5), size, starts, Arrays.copyOf(starts, size), values);
    SparseBlock block = CodedBlocks.coded(plain);
    SparseBlock arrived = (SparseBlock) send(block, by);

    assertSame(arrived, block);
    assertThat(arrived.codes()).isPresent();
    assertThat(bits(arrived.values())).isEqualTo(bits(block.values()));
  }

  /** Else each number is written by itself, at a quarter of the speed. */
  @ParameterizedTest
  @MethodSource("blocks")
  void java_largeBlock_isWrittenInPieces(PackedBlock block) {
    ByteBuffer sent = new JavaSerializer(new SparkConf()).newInstance().serialize(block, any());
    String stream = StandardCharsets.ISO_8859_1.decode(sent).toString();

    assertThat(stream).contains("NumberArrays$Doubles").doesNotContain(array("[D"), array("[I"));
    assertThat((double) stream.length()).isBetween(1.0 * block.bytes(), 1.01 * block.bytes());
  }

  /** How the stream names the class of an array: its rows may hold the name's letters. */
  private static String array(String name) {
    return "r\0\2" + name;
  }

  static List<PackedBlock> blocks() {
    int rows = 20_000;
    int[] starts = IntStream.rangeClosed(0, rows).toArray();
    int[] indices = Arrays.copyOf(starts, rows);
    return List.of(
        new DenseBlock(1, numbers(rows, 1), 3, numbers(3 * rows, 2)),
        new SparseBlock(1, numbers(rows, 1), rows, starts, indices, numbers(rows, 2)));
  }

  private static Object send(PackedBlock block, Serializer by) {
    ByteBuffer sent = by.newInstance().serialize(block, any());
    return by.newInstance().deserialize(sent, any());
  }

  private static void assertSame(PackedBlock arrived, PackedBlock block) {
    assertThat(arrived.packingId()).isEqualTo(block.packingId());
    assertThat(arrived.width()).isEqualTo(block.width());
    assertThat(arrived.bytes()).isEqualTo(block.bytes());
    assertThat(arrived.layout()).isEqualTo(block.layout());
    assertThat(bits(labels(arrived))).isEqualTo(bits(labels(block)));
  }

  private static double[] labels(PackedBlock block) {
    return IntStream.range(0, block.rows()).mapToDouble(block::label).toArray();
  }

  /** All bits: of the numbers that are not numbers, too. */
  private static long[] bits(double[] numbers) {
    return Arrays.stream(numbers).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  private static double[] numbers(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, count)
        .mapToDouble(k -> k % 5 < 4 ? random.nextDouble() : SPECIAL[k % 4])
        .toArray();
  }

  private static ClassTag<Object> any() {
    return scala.reflect.ClassTag$.MODULE$.apply(Object.class);
  }
}
