package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.Mailbox;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;

/**
 * Moves cached blocks: the new executor copies a block, then the old one drops it, each in the
 * background, one order at a time. Executors ask the driver for orders; an answer waits until there
 * is one, or until the executor asks anew. A move that fails leaves the block where it is.
 * Thread-safe. Driver only.
 */
final class CacheMoves implements AutoCloseable {
  /** The name of the mailbox. */
  static final String NAME = "spark-ata-cache";

  /** Orders and reports, the first element of each. */
  static final String COPY = "copy";

  static final String DROP = "drop";
  static final String DONE = "done";
  static final String FAILED = "failed";
  static final String WAIT = "wait";

  private final SparkContext context;
  private final Mailbox mailbox;
  private final Map<String, Deque<Order>> orders = new HashMap<>();
  private final Map<String, Mailbox.Letter> waiting = new HashMap<>();
  private final Map<String, Order> running = new HashMap<>();
  private final Set<Integer> rdds = new HashSet<>(); // that have moves
  private int moved;
  private int failed;
  private long movedBytes;
  private long copyNanos;

  /** What an executor is to do; {@code from} is null once it is to drop. */
  private record Order(
      CachedBlocks.Block block, String executor, String from, Supplier<byte[]> tag) {}

  CacheMoves(SparkContext context) {
    this.context = context;
    this.mailbox = Mailbox.open(context, NAME, this::receive);
  }

  /**
   * Orders a move.
   *
   * @param tag the class tag of the RDD's elements, serialized
   */
  synchronized void add(CachedBlocks.Block block, String to, Supplier<byte[]> tag) {
    rdds.add(block.rdd());
    order(new Order(block, to, block.executor(), tag));
  }

  private void order(Order order) {
    orders.computeIfAbsent(order.executor, unused -> new ArrayDeque<>()).add(order);
    Mailbox.Letter letter = waiting.remove(order.executor);
    if (letter != null) {
      answer(order.executor, letter);
    }
  }

  /** Whether blocks of this RDD are on their way. */
  synchronized boolean isMoving(int rdd) {
    return rdds.contains(rdd);
  }

  /** Drops the orders of executors that are gone; what they had not done has failed. */
  synchronized void retain(Set<String> live) {
    orders.keySet().retainAll(live);
    running.keySet().retainAll(live);
    waiting.keySet().retainAll(live);
    settle();
  }

  /** A message: the executor; then, if it has done an order, whether it could and nanoseconds. */
  private synchronized void receive(Mailbox.Letter letter) {
    String executor = (String) letter.message()[0];
    Order order = running.remove(executor);
    if (order != null && letter.message().length > 1) {
      boolean isDone = letter.message()[1].equals(DONE);
      end(order, isDone, (Long) letter.message()[2]);
    }
    Mailbox.Letter older = waiting.remove(executor);
    if (older != null) {
      older.answer(WAIT);
    }
    answer(executor, letter);
    settle();
  }

  private void end(Order order, boolean isDone, long nanos) {
    if (order.from == null) {
      return;
    }
    if (!isDone) {
      failed++;
      return;
    }
    moved++;
    movedBytes += order.block.bytes();
    copyNanos += nanos;
    boolean isWanted = CachedBlocks.isPersisted(context, order.block.rdd());
    String dropper = isWanted ? order.from : order.executor; // it was unpersisted meanwhile
    order(new Order(order.block, dropper, /* from= */ null, order.tag));
  }

  private void answer(String executor, Mailbox.Letter letter) {
    Order order = orders.getOrDefault(executor, new ArrayDeque<>()).poll();
    if (order == null) {
      waiting.put(executor, letter);
      return;
    }
    running.put(executor, order);
    CachedBlocks.Block block = order.block;
    if (order.from == null) {
      letter.answer(DROP, block.rdd(), block.partition());
    } else {
      letter.answer(
          COPY, block.rdd(), block.partition(), block.bytes(), block.usesDisk(), order.tag.get());
    }
  }

  private void settle() {
    rdds.removeIf(
        rdd ->
            running.values().stream().noneMatch(order -> order.block.rdd() == rdd)
                && orders.values().stream()
                    .flatMap(Deque::stream)
                    .noneMatch(order -> order.block.rdd() == rdd));
  }

  /** Blocks that were copied. */
  synchronized int moved() {
    return moved;
  }

  /** Copies that failed. */
  synchronized int failed() {
    return failed;
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
