package io.sparkata.rounds.crew;

import io.sparkata.blocks.BlockRef;
import io.sparkata.blocks.BlockStore;
import io.sparkata.gate.Trouble;
import io.sparkata.rounds.ExecutorMetrics;
import io.sparkata.rounds.Summand.Partial;
import io.sparkata.rounds.TaskReport;
import io.sparkata.rounds.crew.PullMessages.Pulled;
import io.sparkata.spark.ExecutorInternals;
import io.sparkata.spark.Serialized;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskKilledException;

/**
 * A micro-task on its executor: a random sample of the rows held here, of which each slot sums a
 * part.
 */
final class MicroTask implements CrewMember.SlotWork {
  private final PullMessages.Next work;
  private final byte[] shareBytes;
  private final MicroShare<Object> share;
  private final long[] rows;
  private final long drawNanos;
  private final Object[] sums;
  private final long[] nanos;
  private final AtomicInteger next = new AtomicInteger();
  private final CountDownLatch left;
  private volatile boolean isIncomplete;
  private volatile Throwable failure;

  /**
   * Draws its rows.
   *
   * @param share a {@link MicroShare} as bytes
   * @param own the slot of this thread
   * @param slots that may work on it
   */
  MicroTask(PullMessages.Next work, byte[] share, CrewMember.Slot own, int slots) {
    this.work = work;
    this.shareBytes = share;
    this.share = own.share(share);
    long start = System.nanoTime();
    this.rows = this.share.draw(work.number());
    this.drawNanos = System.nanoTime() - start;
    int parts = Math.max(1, Math.min(slots, rows.length));
    this.sums = new Object[parts];
    this.nanos = new long[parts];
    this.left = new CountDownLatch(parts);
  }

  /** How many slots have work. */
  int parts() {
    return sums.length;
  }

  @Override
  public void run(CrewMember.Slot slot) {
    for (int i = next.getAndIncrement(); i < sums.length; i = next.getAndIncrement()) {
      long start = System.nanoTime();
      try {
        sums[i] = sum(i, slot);
      } catch (TaskKilledException killed) {
        isIncomplete = true;
      } catch (Throwable error) { // the driver decides
        failure = error;
      } finally {
        nanos[i] = System.nanoTime() - start;
        left.countDown();
      }
    }
  }

  private Object sum(int part, CrewMember.Slot slot) {
    long start = System.nanoTime();
    int first = (int) ((long) rows.length * part / sums.length);
    int to = (int) ((long) rows.length * (part + 1) / sums.length);
    int from = first;
    Partial<Object> partial = slot.share(shareBytes).summand().begin(slot.task());
    long firstOfBlock = 0;
    for (BlockRef block : share.blocks()) {
      int end = from;
      while (end < to && rows[end] < firstOfBlock + block.rows()) {
        end++;
      }
      if (end > from) {
        if (slot.task().isInterrupted()) {
          throw new TaskKilledException("the crew was cancelled");
        }
        add(block, firstOfBlock, from, end, partial);
        from = end;
      }
      firstOfBlock += block.rows();
    }
    Object sum = partial.sum(); // a GPU may compute here
    TaskReport report = new TaskReport(ExecutorInternals.executorId());
    report.sampledRows = (long) to - first;
    report.kernelNanos = System.nanoTime() - start;
    slot.totals().add(report);
    ExecutorMetrics.add(report);
    return sum;
  }

  private void add(BlockRef block, long firstOfBlock, int from, int end, Partial<Object> partial) {
    BlockStore.Reading reading = BlockStore.read(block, /* keep= */ false);
    if (reading == null) {
      isIncomplete = true;
      return;
    }
    try {
      int[] ofBlock =
          Arrays.stream(rows, from, end).mapToInt(row -> (int) (row - firstOfBlock)).toArray();
      partial.add(reading.block(), ofBlock, /* first= */ 0, ofBlock.length);
    } finally {
      reading.release();
    }
  }

  /** Waits for the slots that still work. */
  Pulled await() throws InterruptedException {
    left.await();
    byte[] sum = null;
    if (failure == null && !isIncomplete && rows.length > 0) {
      try {
        sum =
            Serialized.result(
                Arrays.stream(sums)
                    .filter(Objects::nonNull)
                    .reduce(share.summand()::merge)
                    .orElseThrow());
      } catch (Throwable error) { // Spark's serializers throw checked exceptions, too
        Trouble.rethrowFatal(error);
        failure = error;
      }
    }
    return new Pulled(
        ExecutorInternals.executorId(),
        work.round(),
        work.number(),
        sum == null ? 0 : rows.length,
        drawNanos + Arrays.stream(nanos).sum(),
        drawNanos + Arrays.stream(nanos).max().orElse(0),
        sum,
        failure == null ? null : failure.toString());
  }
}
