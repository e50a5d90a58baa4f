package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.Mailbox;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/**
 * Moves cached blocks: the new executor copies a block, then the old one drops it, each in the
 * background, one order at a time. Executors ask the driver for orders. A move that fails leaves
 * the block where it is. Thread-safe. Driver only.
 */
final class CacheMoves implements AutoCloseable {
  /** The name of the mailbox. */
  static final String NAME = "spark-ata-cache";

  /** The first element of an answer: no order, or its kind. */
  static final String NONE = "none";

  static final String COPY = "copy";
  static final String DROP = "drop";
  static final String REMOVE = "remove";

  private final SparkContext context;
  private final Mailbox mailbox;
  private final Map<String, Deque<Order>> orders = new HashMap<>(); // by executor
  private final Map<String, Order> running = new HashMap<>(); // by executor
  private int moved;
  private final Map<Integer, Integer> failures = new HashMap<>(); // by RDD
  private long movedBytes;
  private long copyNanos;

  private record Order(String kind, CachedBlocks.Block block) {}

  CacheMoves(SparkContext context) {
    this.context = context;
    this.mailbox = Mailbox.open(context, NAME, this::receive);
  }

  /** Orders a move. */
  synchronized void add(CachedBlocks.Block block, String to) {
    order(to, COPY, block);
  }

  private void order(String executor, String kind, CachedBlocks.Block block) {
    orders.computeIfAbsent(executor, unused -> new ArrayDeque<>()).add(new Order(kind, block));
  }

  /** Whether blocks of this RDD are on their way. */
  synchronized boolean isMoving(int rdd) {
    return Stream.concat(running.values().stream(), orders.values().stream().flatMap(Deque::stream))
        .anyMatch(order -> order.block.rdd() == rdd);
  }

  /** Drops the orders of executors that are gone. */
  synchronized void retain(Set<String> live) {
    orders.keySet().retainAll(live);
    running.keySet().retainAll(live);
  }

  /** An executor; if it has carried out an order, also whether it could, and nanoseconds. */
  private synchronized void receive(Mailbox.Letter letter) {
    String executor = (String) letter.message()[0];
    Order done = running.remove(executor);
    if (done != null && done.kind.equals(COPY)) {
      boolean isCopied = letter.message().length > 1 && (Boolean) letter.message()[1];
      if (isCopied) {
        copied(executor, done.block, (Long) letter.message()[2]);
      } else {
        failures.merge(done.block.rdd(), 1, Integer::sum);
      }
    }
    Order next = orders.getOrDefault(executor, new ArrayDeque<>()).poll();
    if (next == null) {
      letter.answer(NONE);
      return;
    }
    running.put(executor, next);
    CachedBlocks.Block block = next.block;
    byte[] tag = next.kind.equals(COPY) ? CachedBlocks.tagOf(context, block.rdd()) : new byte[0];
    letter.answer(next.kind, block.rdd(), block.partition(), block.bytes(), block.usesDisk(), tag);
  }

  private void copied(String executor, CachedBlocks.Block block, long nanos) {
    moved++;
    movedBytes += block.bytes();
    copyNanos += nanos;
    if (CachedBlocks.isPersisted(context, block.rdd())) {
      order(block.executor(), DROP, block);
    } else {
      order(executor, REMOVE, block); // it came after Spark had removed the others
    }
  }

  /** Blocks that were copied. */
  synchronized int moved() {
    return moved;
  }

  /** Copies that failed. */
  synchronized int failed() {
    return failures.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Copies of an RDD's blocks that failed. */
  synchronized int failed(int rdd) {
    return failures.getOrDefault(rdd, 0);
  }

  /** Bytes of {@link #moved}, as stored. */
  synchronized long movedBytes() {
    return movedBytes;
  }

  /** What copying them took, in all. */
  synchronized double copySeconds() {
    return copyNanos / 1e9;
  }

  @Override
  public void close() {
    mailbox.close();
  }
}
