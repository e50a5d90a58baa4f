package io.sparkata.cache;

import io.sparkata.spark.CachedBlocks;
import io.sparkata.spark.Mailbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;

/**
 * Moves cached blocks: the new executor copies a block, then the old one drops it, each in the
 * background, one order at a time. Executors ask the driver for orders. An order has a number, so
 * that one whose answer is lost is sent again, and a report that comes twice counts once. A move
 * that fails leaves the block where it is. Thread-safe. Driver only.
 */
final class CacheMoves implements AutoCloseable {
  /** The name of the mailbox. */
  static final String NAME = "spark-ata-cache";

  /** The first element of an answer: no order, or its kind. */
  static final String NONE = "none";

  static final String PROBE = "probe";
  static final String COPY = "copy";
  static final String DROP = "drop";
  static final String REMOVE = "remove";

  /** After so many failed copies an RDD stays where it is. */
  private static final int MOST_FAILED = 4;

  private final SparkContext context;
  private final Optional<Mailbox> mailbox;
  private final Map<String, Deque<Order>> orders = new HashMap<>(); // by executor
  private final Map<String, Order> running = new HashMap<>(); // by executor
  private final Set<Integer> sendable = new HashSet<>(); // RDDs
  private final UnprobedMoves unprobed = new UnprobedMoves();
  private final Map<Integer, Integer> failures = new HashMap<>(); // by RDD
  private long lastNumber;
  private int moved;
  private long movedBytes;
  private long copyNanos;
  private final CopyRates rates = new CopyRates();

  /** Of each RDD. Its removal may have passed a copy before the driver no longer persists it. */
  private final Map<Integer, List<Copy>> copies = new HashMap<>();

  /**
   * @param factor of a probe: how many times as long the slowest sender takes
   */
  private record Order(long number, String kind, CachedBlocks.Block block, double factor) {}

  /** Partitions of an RDD that were copied, and their bytes. */
  record Moved(int partitions, long bytes) {}

  private record Copy(String executor, CachedBlocks.Block block) {}

  /**
   * @param isOpen whether executors may ask for orders; else nothing moves
   */
  CacheMoves(SparkContext context, boolean isOpen) {
    this.context = context;
    this.mailbox =
        isOpen ? Optional.of(Mailbox.open(context, NAME, this::receive)) : Optional.empty();
  }

  /**
   * Orders the block's executor to try, once for each RDD, whether its elements can be sent, and
   * what that takes.
   *
   * @param factor how many times as long the slowest sender takes
   */
  synchronized void probe(CachedBlocks.Block block, double factor) {
    if (!sendable.contains(block.rdd())) {
      orderProbe(block, factor);
    }
  }

  /** The same again, a few times for each RDD, where that may lower the price of moves. */
  synchronized void probeAgain(CachedBlocks.Block block, double factor) {
    if (rates.canImprove(block.rdd())) {
      orderProbe(block, factor);
    }
  }

  private void orderProbe(CachedBlocks.Block block, double factor) {
    if (failed(block.rdd()) == 0 && !isMoving(block.rdd())) {
      order(block.executor(), PROBE, block, factor);
    }
  }

  /** Whether blocks of this RDD can be moved now. */
  synchronized boolean canMove(int rdd) {
    return sendable.contains(rdd) && mayMove(rdd);
  }

  /** Whether blocks of this RDD can be moved now, if a probe finds that they can be sent. */
  synchronized boolean mayMove(int rdd) {
    return failed(rdd) < (sendable.contains(rdd) ? MOST_FAILED : 1) && !isMoving(rdd);
  }

  /**
   * Orders a move of a partition's blocks; where one of their RDDs is not probed, once that probe,
   * which must have been ordered, has found that all can be sent.
   */
  synchronized void add(List<CachedBlocks.Block> blocks, String to) {
    unprobed.add(new UnprobedMoves.Move(blocks, to));
    orderProbed();
  }

  private void orderProbed() {
    unprobed
        .ready(sendable::contains, this::isOrdered)
        .forEach(move -> move.blocks().forEach(block -> order(move.to(), COPY, block)));
  }

  /** Orders executors to drop blocks that others have, too, unless blocks of their RDD move. */
  synchronized void drop(List<CachedBlocks.Block> spares) {
    spares.stream()
        .filter(block -> !isMoving(block.rdd()))
        .toList() // before the first order
        .forEach(block -> order(block.executor(), DROP, block));
  }

  private void order(String executor, String kind, CachedBlocks.Block block) {
    order(executor, kind, block, /* factor= */ 1);
  }

  private void order(String executor, String kind, CachedBlocks.Block block, double factor) {
    orders
        .computeIfAbsent(executor, unused -> new ArrayDeque<>())
        .add(new Order(++lastNumber, kind, block, factor));
  }

  /** Whether blocks of this RDD have orders, or wait for a probe. */
  private boolean isMoving(int rdd) {
    return isOrdered(rdd) || unprobed.isWaiting(rdd);
  }

  private boolean isOrdered(int rdd) {
    return Stream.concat(running.values().stream(), orders.values().stream().flatMap(Deque::stream))
        .anyMatch(order -> order.block.rdd() == rdd);
  }

  /** Forgets an RDD that is no longer persisted, and removes its copies. */
  synchronized void forget(int rdd) {
    sendable.remove(rdd);
    unprobed.forget(rdd);
    failures.remove(rdd);
    rates.forget(rdd);
    List<Copy> left = copies.remove(rdd);
    if (left != null) {
      left.forEach(copy -> order(copy.executor, REMOVE, copy.block));
    }
  }

  /** Drops the orders of executors that are gone. */
  synchronized void retain(Set<String> live) {
    orders.keySet().retainAll(live);
    running.keySet().retainAll(live);
    unprobed.retain(live);
    orderProbed();
  }

  /**
   * An executor; if it has carried out an order, also its number, whether it could, nanoseconds, of
   * a probe those of a send.
   */
  private synchronized void receive(Mailbox.Letter letter) {
    Object[] message = letter.message();
    String executor = (String) message[0];
    Order last = running.get(executor);
    if (last != null && message.length > 1 && last.number == (Long) message[1]) {
      running.remove(executor);
      carriedOut(executor, last, (Boolean) message[2], (Long) message[3]);
    }
    Order next = running.get(executor); // sent again: the executor has not received it
    if (next == null) {
      next = next(executor);
    }
    if (next == null) {
      letter.answer(NONE);
      return;
    }
    running.put(executor, next);
    CachedBlocks.Block block = next.block;
    byte[] tag = CachedBlocks.tagOf(context, block.rdd());
    letter.answer(
        next.kind, next.number, block.rdd(), block.partition(), block.bytes(), block.level(), tag);
  }

  /** The first order; null if there is none. What is persisted again need not be removed. */
  private Order next(String executor) {
    Deque<Order> waiting = orders.getOrDefault(executor, new ArrayDeque<>());
    Order next = waiting.poll();
    while (next != null
        && next.kind.equals(REMOVE)
        && CachedBlocks.isPersisted(context, next.block.rdd())) {
      next = waiting.poll();
    }
    return next;
  }

  private void carriedOut(String executor, Order order, boolean isDone, long nanos) {
    int rdd = order.block.rdd();
    switch (order.kind) {
      case PROBE -> {
        if (!CachedBlocks.isPersisted(context, rdd)) {
          return;
        }
        if (isDone) {
          sendable.add(rdd);
          rates.probed(order.block, nanos * order.factor);
        } else if (!sendable.contains(rdd)) {
          failures.put(rdd, MOST_FAILED);
        }
        orderProbed();
      }
      case COPY -> {
        if (isDone) {
          copied(executor, order.block, nanos);
        } else {
          failures.merge(rdd, 1, Integer::sum);
        }
      }
      default -> {} // a copy that stays does no harm
    }
  }

  private void copied(String executor, CachedBlocks.Block block, long nanos) {
    moved++;
    movedBytes += block.bytes();
    copyNanos += nanos;
    rates.copied(executor, block, nanos);
    if (CachedBlocks.isPersisted(context, block.rdd())) {
      copies.computeIfAbsent(block.rdd(), rdd -> new ArrayList<>()).add(new Copy(executor, block));
      order(block.executor(), DROP, block);
    } else {
      order(executor, REMOVE, block); // it came after Spark had removed the others
    }
  }

  /** Of an RDD that is persisted. */
  synchronized Moved moved(int rdd) {
    List<Copy> all = copies.getOrDefault(rdd, List.of());
    return new Moved(all.size(), all.stream().mapToLong(copy -> copy.block.bytes()).sum());
  }

  /** Blocks that were copied. */
  synchronized int moved() {
    return moved;
  }

  /** Copies that failed. */
  synchronized int failed() {
    return failures.values().stream().mapToInt(Integer::intValue).sum();
  }

  private int failed(int rdd) {
    return failures.getOrDefault(rdd, 0);
  }

  /** Of copies of these blocks, estimated. */
  synchronized double seconds(List<CachedBlocks.Block> blocks) {
    return blocks.stream().mapToDouble(rates::seconds).sum();
  }

  /** Empty if nothing was copied. */
  synchronized Optional<String> summary() {
    return moved == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "blocks moved=%d bytes=%d seconds=%.3f failed=%d",
                moved,
                movedBytes,
                copyNanos / 1e9,
                failed()));
  }

  @Override
  public void close() {
    mailbox.ifPresent(Mailbox::close);
  }
}
