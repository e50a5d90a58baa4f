package io.sparkata.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.blocks.BlockStore.Reading;
import io.sparkata.blocks.BlockStore.Source;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.SparkBlocks;
import io.sparkata.testing.LocalSuite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** The store and the packer in one block manager with 24 MB of storage memory. */
@Tag("spark")
class BlockStoreTest extends LocalSuite {
  private static final long MB = 1L << 20;
  private static final long ROOM = BlockBuilder.ROOM_BYTES;
  private static final long STAMP = 11;
  private static final int THREADS = 4;

  private int rddId;

  @Override
  public SparkConf conf() {
    return super.conf()
        .set("spark.testing.memory", String.valueOf(40 * MB))
        .set("spark.testing.reservedMemory", "0");
  }

  @BeforeEach
  void freshId() {
    rddId = SparkBlocks.newRddId(sc());
  }

  @AfterEach
  void removeBlocks() {
    SparkEnv.get().blockManager().master().removeRdd(rddId, /* blocking= */ true);
  }

  @Test
  void read_storedBlock_isLocalWithItsRows() {
    BlockRef ref = stored(0, STAMP, 1000);

    Reading reading = BlockStore.read(ref, /* keep= */ true);

    assertThat(reading.source()).isEqualTo(Source.LOCAL);
    assertThat(((PackedBlock) reading.block()).features(999)).isEqualTo(Vectors.dense(999));
    assertThat(reading.bytes()).isGreaterThanOrEqualTo(ref.bytes());
    reading.release();
  }

  @Test
  void release_storedBlock_letsItBeRemoved() {
    BlockRef ref = stored(0, STAMP, 10);

    BlockStore.read(ref, /* keep= */ true).release();

    assertThat(isStored(ref.id())).isTrue();
    ExecutorInternals.drop(ref.id()); // would wait for ever for a read lock that is still held
    assertThat(isStored(ref.id())).isFalse();
  }

  @Test
  void read_nobodyHoldsIt_isNull() {
    BlockRef ref = new BlockRef(rddId, 0, 0, 0, 10, 160, STAMP);

    assertThat(BlockStore.read(ref, /* keep= */ true)).isNull();
    assertThat(BlockStore.read(ref, /* keep= */ false)).isNull();
  }

  @Test
  void read_otherStamp_isNullAndDropsTheCopy() {
    BlockRef ref = stored(0, STAMP, 10);
    BlockRef packedAgain = new BlockRef(rddId, 0, 0, 0, 10, ref.bytes(), STAMP + 1);

    assertThat(BlockStore.read(packedAgain, /* keep= */ true)).isNull();
    assertThat(isStored(ref.id())).isFalse();
    assertThat(SparkBlocks.holders(sc(), List.of(ref.id()))).containsExactly(List.of());
  }

  @Test
  void read_otherNumberOfRows_isNullAndDropsTheCopy() {
    BlockRef ref = stored(0, STAMP, 10);
    BlockRef longer = new BlockRef(rddId, 0, 0, 0, 11, ref.bytes(), STAMP);

    assertThat(BlockStore.read(longer, /* keep= */ true)).isNull();
    assertThat(isStored(ref.id())).isFalse();
  }

  /** Spark's block manager throws if a block is removed just before a thread gets its lock. */
  @Test
  @Timeout(60)
  void read_threadsDropItAtOnce_isNull() throws InterruptedException, ExecutionException {
    ExecutorService slots = Executors.newFixedThreadPool(THREADS);
    for (int i = 0; i < 2000; i++) {
      BlockRef ref = stored(0, STAMP, 10);
      BlockRef packedAgain = new BlockRef(rddId, 0, 0, 0, 10, ref.bytes(), STAMP + 1);
      Callable<Reading> read = () -> BlockStore.read(packedAgain, /* keep= */ false);

      for (Future<Reading> one : slots.invokeAll(Collections.nCopies(THREADS, read))) {
        assertThat(one.get()).isNull();
      }
    }
    slots.shutdown();
  }

  @Test
  void put_roomForIt_isStoredAndKnownToTheMaster() {
    BlockRef ref = stored(3, STAMP, 10);

    assertThat(SparkBlocks.holders(sc(), List.of(ref.id()))).containsExactly(List.of("driver"));
  }

  @Test
  void put_moreThanFreeMemory_refusesAndEvictsNothing() {
    JavaRDD<byte[]> cached = cached(2, 5 * MB, 2);
    try {
      long free = ExecutorInternals.freeStorageBytes();
      assertThat(free).as("what is left of 24 MB").isBetween(10 * MB, 15 * MB);
      PackedBlock block = block(STAMP, (int) (free / 16 + 1000));

      assertThat(BlockStore.put(new RDDBlockId(rddId, 0), block)).isFalse();

      assertThat(isStored(new RDDBlockId(rddId, 0))).isFalse();
      assertThat(isStored(new RDDBlockId(cached.id(), 0))).isTrue();
      assertThat(isStored(new RDDBlockId(cached.id(), 1))).isTrue();
      assertThat(ExecutorInternals.freeStorageBytes()).isGreaterThanOrEqualTo(free);
    } finally {
      cached.unpersist(/* blocking= */ true);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30, 50, 60, 70, 80, 90, 94, 99, 100, 130})
  void put_anyShareOfWhatIsFree_leavesTheCallersBlocks(int percent) {
    JavaRDD<byte[]> cached = cached(3, 3 * MB, 3);
    try {
      long free = ExecutorInternals.freeStorageBytes();
      PackedBlock block = block(STAMP, (int) (free / 16 * percent / 100));

      boolean isStored = BlockStore.put(new RDDBlockId(rddId, 0), block);

      for (int partition = 0; partition < 3; partition++) {
        assertThat(isStored(new RDDBlockId(cached.id(), partition))).isTrue();
      }
      assertThat(isStored(new RDDBlockId(rddId, 0))).isEqualTo(isStored);
      // Between the two, Spark's growing reservation decides: it asks for more than the block
      // takes.
      assertThat(isStored).isIn(percent <= 50, percent < 99);
    } finally {
      cached.unpersist(/* blocking= */ true);
    }
  }

  @Test
  void pack_allPartitions_keepsRowsInOrderUnderOneStampEach() {
    RDD<Tuple2<Object, Vector>> data = numbered(0, 250, 1, 99);

    List<PackedPartition> packed = new BlockPacker(data, 1600 + ROOM).pack(rddId, all(4));

    assertThat(packed).extracting(PackedPartition::partition).containsExactly(0, 1, 2, 3);
    assertThat(packed).extracting(PackedPartition::bytesRefused).containsOnly(0L);
    assertThat(packed)
        .extracting(partition -> partition.blocks().stream().map(BlockRef::rows).toList())
        .containsExactly(List.of(), List.of(100, 100, 50), List.of(1), List.of(99));
    assertThat(packed.get(1).blocks())
        .extracting(BlockRef::firstRow)
        .containsExactly(0L, 100L, 200L);
    assertThat(packed.get(1).blocks())
        .extracting(block -> block.id().splitIndex())
        .as("small: Spark keeps a bit for each up to the largest")
        .containsExactly(1, 4 + 1, 8 + 1);
    Set<Long> packingIds = new HashSet<>();
    for (PackedPartition partition : packed) {
      partition.blocks().forEach(block -> packingIds.add(block.packingId()));
      assertThatRowsAreNumbered(partition);
    }
    assertThat(packingIds).as("one per partition that has rows").hasSize(3);
  }

  /** 17 bytes a row coded, 24 without codes, which 257 values of row 400 put an end to. */
  @Test
  void pack_rowThatEndsTheCoding_beginsTheNextBlock() {
    RDD<Tuple2<Object, Vector>> data =
        jsc().parallelize(List.of(500), 1).flatMap(BlockStoreTest::indicators).rdd();

    PackedPartition packed = new BlockPacker(data, 8000 + ROOM).pack(rddId, all(1)).get(0);

    assertThat(packed.blocks()).extracting(BlockRef::rows).containsExactly(400, 100);
    assertThat(packed.layout()).as("of the first block").isEqualTo("sparse coded");
    assertThat(packed.blocks().get(0).bytes()).isEqualTo(400 * 17 + 4 + 8);
    List<Vector> rows = new ArrayList<>();
    List<String> layouts = new ArrayList<>();
    for (BlockRef ref : packed.blocks()) {
      Reading reading = BlockStore.read(ref, /* keep= */ false);
      layouts.add(reading.block().layout());
      IntStream.range(0, ref.rows())
          .mapToObj(((PackedBlock) reading.block())::features)
          .forEach(rows::add);
      reading.release();
    }
    assertThat(layouts).containsExactly("sparse coded", "sparse");
    List<Vector> expected = new ArrayList<>();
    indicators(500).forEachRemaining(row -> expected.add(row._2()));
    assertThat(rows).isEqualTo(expected);
  }

  @Test
  void packingNanosPerRow_anyRows_isKnownOfExecutorsThatPackedSome() {
    try (PackedData some = PackedData.pack(numbered(10, 0, 30), 8000);
        PackedData none = PackedData.pack(numbered(0), 8000)) {
      assertThat(some.packingNanosPerRow()).containsOnlyKeys("driver");
      assertThat(some.packingNanosPerRow().get("driver")).isPositive();
      assertThat(none.packingNanosPerRow()).isEmpty();
    }
  }

  @Test
  void pack_somePartitions_keepsTheirNumbers() {
    RDD<Tuple2<Object, Vector>> data = numbered(10, 20, 30, 40);

    List<PackedPartition> packed = new BlockPacker(data, MB).pack(rddId, new int[] {1, 3});

    assertThat(packed).extracting(PackedPartition::partition).containsExactly(1, 3);
    assertThat(packed)
        .extracting(partition -> partition.blocks().get(0).rows())
        .containsExactly(20, 40);
    assertThat(packed)
        .extracting(partition -> partition.blocks().get(0).partition())
        .containsExactly(1, 3);
    packed.forEach(this::assertThatRowsAreNumbered);
  }

  @Test
  void pack_twice_marksTheBlocksWithOtherStamps() {
    BlockPacker packer = new BlockPacker(numbered(10), MB);

    long first = packer.pack(rddId, all(1)).get(0).blocks().get(0).packingId();
    long second = packer.pack(rddId, all(1)).get(0).blocks().get(0).packingId();

    assertThat(second).isNotEqualTo(first);
  }

  @Test
  void pack_noRoom_reportsTheRefusedBlockAndLeavesNothing() {
    int rows = (int) (3 * MB); // 48 MB packed in blocks of 4
    List<PackedPartition> packed = new BlockPacker(numbered(rows), 4 * MB).pack(rddId, all(1));

    assertThat(packed.get(0).bytesRefused()).isEqualTo(4 * MB - ROOM);
    assertThat(storedBlocks()).isEmpty();
  }

  /** The block that a long row ends is refused, and so would be the one that this row fills. */
  @Test
  void pack_noRoomBeforeARowThatFillsABlock_leavesNothing() {
    // In one partition: while it stores the first of them, Spark reserves 13.5 MB for it.
    JavaRDD<byte[]> cached = cached(2, 9 * MB, 1);
    try {
      assertThat(ExecutorInternals.freeStorageBytes()).as("left of 24 MB").isLessThan(6 * MB);
      RDD<Tuple2<Object, Vector>> data =
          jsc().parallelize(List.of(1), 1).flatMap(unused -> thenALongRow(400_000)).rdd();

      PackedPartition packed = new BlockPacker(data, 7 * MB).pack(rddId, all(1)).get(0);

      assertThat(packed.bytesRefused()).isEqualTo(400_000 * 17 + 4 + 8);
      assertThat(storedBlocks()).isEmpty();
    } finally {
      cached.unpersist(/* blocking= */ true);
    }
  }

  @Test
  void pack_rowsFailHalfWay_dropsWhatWasStored() {
    assertFailsAndLeavesNothing(BlockStoreTest::unlessLate, 1600 + ROOM);
  }

  /** As where Spark kills the slower of two attempts. */
  @Test
  void pack_rowsFailOnAnInterruptedThread_dropsWhatWasStored() {
    assertFailsAndLeavesNothing(BlockStoreTest::unlessLateAndInterrupted, 800 + ROOM);
  }

  private void assertFailsAndLeavesNothing(
      Function<Tuple2<Object, Vector>, Tuple2<Object, Vector>> row, long blockBytes) {
    RDD<Tuple2<Object, Vector>> data =
        JavaRDD.fromRDD(numbered(250), numbered(1).elementClassTag()).map(row).rdd();

    assertThatThrownBy(() -> new BlockPacker(data, blockBytes).pack(rddId, all(1)))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("no row 220");
    assertThat(storedBlocks()).isEmpty();
  }

  private BlockRef stored(int index, long packingId, int rows) {
    PackedBlock block = block(packingId, rows);
    BlockRef ref = new BlockRef(rddId, index, 0, 0, rows, block.bytes(), packingId);
    assertThat(BlockStore.put(ref.id(), block)).isTrue();
    return ref;
  }

  /** 16 bytes per row; row r has the feature r. */
  private static PackedBlock block(long packingId, int rows) {
    double[] values = new double[rows];
    for (int row = 0; row < rows; row++) {
      values[row] = row;
    }
    return new DenseBlock(packingId, new double[rows], 1, values);
  }

  private static boolean isStored(RDDBlockId id) {
    return SparkEnv.get().blockManager().getStatus(id).isDefined();
  }

  private List<Integer> storedBlocks() {
    List<Integer> stored = new ArrayList<>();
    for (int index = 0; index < 100; index++) {
      if (isStored(new RDDBlockId(rddId, index))) {
        stored.add(index);
      }
    }
    return stored;
  }

  private static int[] all(int partitions) {
    return IntStream.range(0, partitions).toArray();
  }

  /** Partitions of the given sizes; row r of a partition has label and feature r. */
  private RDD<Tuple2<Object, Vector>> numbered(int... sizes) {
    List<Integer> counts = IntStream.of(sizes).boxed().toList();
    return jsc()
        .parallelize(counts, sizes.length)
        .flatMap(count -> IntStream.range(0, count).mapToObj(BlockStoreTest::row).iterator())
        .rdd();
  }

  private static Iterator<Tuple2<Object, Vector>> indicators(int count) {
    int[] all = IntStream.range(0, 257).toArray();
    double[] values = IntStream.of(all).asDoubleStream().toArray();
    return IntStream.range(0, count)
        .mapToObj(
            row ->
                row == 400
                    ? Vectors.sparse(300, all, values)
                    : Vectors.sparse(300, new int[] {row % 300}, new double[] {0.1}))
        .map(features -> new Tuple2<Object, Vector>(1.0, features))
        .iterator();
  }

  /** Coded rows of 17 bytes, and one of as many different values as fill a block of 7 MB. */
  private static Iterator<Tuple2<Object, Vector>> thenALongRow(int count) {
    int[] all = IntStream.range(0, 650_000).toArray();
    Vector indicator = Vectors.sparse(all.length, new int[] {7}, new double[] {0.1});
    Vector row = Vectors.sparse(all.length, all, IntStream.of(all).asDoubleStream().toArray());
    return IntStream.rangeClosed(0, count)
        .mapToObj(i -> new Tuple2<Object, Vector>(1.0, i < count ? indicator : row))
        .iterator();
  }

  private static Tuple2<Object, Vector> row(int number) {
    return new Tuple2<>((double) number, Vectors.dense(number));
  }

  private static Tuple2<Object, Vector> unlessLate(Tuple2<Object, Vector> row) {
    if ((Double) row._1() == 220) {
      throw new IllegalStateException("no row 220");
    }
    return row;
  }

  private static Tuple2<Object, Vector> unlessLateAndInterrupted(Tuple2<Object, Vector> row) {
    if ((Double) row._1() == 220) {
      Thread.currentThread().interrupt();
    }
    return unlessLate(row);
  }

  private void assertThatRowsAreNumbered(PackedPartition partition) {
    for (BlockRef ref : partition.blocks()) {
      Reading reading = BlockStore.read(ref, /* keep= */ false);
      PackedBlock block = (PackedBlock) reading.block();
      for (int row = 0; row < ref.rows(); row++) {
        assertThat(block.label(row)).isEqualTo((double) (ref.firstRow() + row));
        assertThat(block.features(row)).isEqualTo(row((int) ref.firstRow() + row)._2());
      }
      reading.release();
    }
  }

  /** What an application has cached before. */
  private JavaRDD<byte[]> cached(int count, long bytesEach, int partitions) {
    JavaRDD<byte[]> cached =
        jsc()
            .parallelize(IntStream.range(0, count).boxed().toList(), partitions)
            .map(unused -> new byte[(int) bytesEach])
            .persist(StorageLevel.MEMORY_ONLY());
    cached.count();
    return cached;
  }
}
