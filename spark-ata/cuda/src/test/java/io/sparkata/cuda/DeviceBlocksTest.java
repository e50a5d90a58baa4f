package io.sparkata.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.blocks.SparseBlock;
import io.sparkata.cuda.DeviceBlocks.CachedBlock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that request blocks while one block is being copied to the device. */
@Timeout(60)
class DeviceBlocksTest {
  private final FakeCudaDriver driver = new FakeCudaDriver("0000:01:00.0");
  private final DeviceBlocks blocks = new DeviceBlocks(driver, 1 << 30, /* isSingle= */ false);
  private final PackedBlock there = DeviceChecks.dense(new SplittableRandom(1), 10, 3);
  private final PackedBlock onItsWay = DeviceChecks.dense(new SplittableRandom(2), 10, 3);
  private CountDownLatch hung = new CountDownLatch(0);

  @BeforeEach
  void copyOne() {
    acquire(there).release();
    hung = driver.hang();
  }

  @AfterEach
  void close() {
    hung.countDown();
    blocks.close();
    assertThat(driver.leaks()).isEqualTo(DeviceChecks.NOTHING);
  }

  @Test
  void acquire_whileAnotherIsCopied_waitsForItsOwnOnly() {
    CompletableFuture<CachedBlock> copying = begin(onItsWay, new AtomicReference<>());
    CompletableFuture<CachedBlock> same = beginToWait();

    int copies = driver.calls("cuMemcpyHtoDAsync");
    CachedBlock other = blocks.acquire(there, null);

    assertThat(copying).isNotDone();
    assertThat(same).isNotDone();
    other.release();
    hung.countDown();
    assertThat(same.join()).isSameAs(copying.join());
    assertThat(driver.calls("cuMemcpyHtoDAsync")).as("values, labels").isEqualTo(copies + 2);
    blocks.close();
    assertThat(blocks.bytes()).as("in use twice").isEqualTo(DeviceBlocks.PAGE_BYTES);
    copying.join().release();
    blocks.close();
    assertThat(blocks.bytes()).as("in use").isEqualTo(DeviceBlocks.PAGE_BYTES);
    same.join().release();
    blocks.close();
    assertThat(blocks.bytes()).isZero();
  }

  @Test
  void acquire_theCopyFails_failsForThoseThatWaitedForItAndNoLonger() {
    CompletableFuture<CachedBlock> copying = begin(onItsWay, new AtomicReference<>());
    CompletableFuture<CachedBlock> same = beginToWait();
    driver.fail("cuMemcpyHtoDAsync", FakeCudaDriver.OUT_OF_MEMORY);
    hung.countDown();
    for (CompletableFuture<CachedBlock> each : List.of(copying, same)) {
      assertThatThrownBy(each::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOfSatisfying(
              CudaException.class, failed -> assertThat(failed.isOutOfMemory()).isTrue())
          .hasMessage("cuMemcpyHtoDAsync failed: CUDA_ERROR_ON_PURPOSE (2)");
    }
    assertThat(blocks.bytes()).isEqualTo(DeviceBlocks.PAGE_BYTES);

    driver.heal();
    acquire(onItsWay).release();
    assertThat(blocks.bytes()).isEqualTo(2 * DeviceBlocks.PAGE_BYTES);
  }

  /** As large as blocks packed with {@code spark.ata.blockSize=4m}, minus 1 KiB. */
  @Test
  void acquire_blocksOfFourMebibytes_takeTwoPagesEach() {
    hung.countDown();
    int bytes = (4 << 20) - (1 << 10);
    int rows = bytes / (8 + 4 + 12);
    double[] ones = new double[rows];
    int[] columns = new int[rows];
    int[] starts = IntStream.rangeClosed(0, rows).toArray();
    PackedBlock dense = DeviceChecks.dense(new SplittableRandom(3), bytes / (4 * 8), 3);
    PackedBlock sparse = new SparseBlock(1, new double[rows], 1, starts, columns, ones);
    assertThat(dense.bytes()).isEqualTo(bytes);
    assertThat(sparse.bytes()).isBetween(bytes - 24L, bytes + 4L);

    acquire(dense).release();
    assertThat(blocks.bytes()).isEqualTo((1 + 2) * DeviceBlocks.PAGE_BYTES);
    acquire(sparse).release();
    assertThat(blocks.bytes()).isEqualTo((1 + 2 + 2) * DeviceBlocks.PAGE_BYTES);
  }

  /** The copying task hangs; another task that requests the same block waits for it. */
  private CompletableFuture<CachedBlock> begin(PackedBlock block, AtomicReference<Thread> thread) {
    int begun = driver.calls("cuStreamSynchronize");
    CompletableFuture<CachedBlock> task =
        CompletableFuture.supplyAsync(
            () -> {
              thread.set(Thread.currentThread());
              return acquire(block);
            },
            started -> new Thread(started).start());
    await().until(() -> isWaiting(thread) || driver.calls("cuStreamSynchronize") > begun);
    return task;
  }

  /** Acquires the block that is on its way; returns once it waits. */
  private CompletableFuture<CachedBlock> beginToWait() {
    AtomicReference<Thread> waiting = new AtomicReference<>();
    CompletableFuture<CachedBlock> same = begin(onItsWay, waiting);
    await().until(() -> isWaiting(waiting));
    return same;
  }

  private static boolean isWaiting(AtomicReference<Thread> thread) {
    return thread.get() != null && thread.get().getState() == Thread.State.WAITING;
  }

  private CachedBlock acquire(PackedBlock block) {
    driver.setCurrent(77);
    try (Staging staging = new Staging(driver)) {
      return blocks.acquire(block, staging);
    }
  }
}
