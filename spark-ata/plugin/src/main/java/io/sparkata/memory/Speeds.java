package io.sparkata.memory;

import io.sparkata.gate.Trouble;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The speeds that one application knows, in nanoseconds per packed byte on one slot. By executor if
 * this application has measured it, else by host: the mean of the host's executors, which the file
 * keeps. Time is per byte, not per row, so that it applies to data of another width. Thread-safe.
 *
 * <p>The file is read when a speed is first needed. It is written when a training ends, at most
 * once a minute, and when the application ends; each waits ten seconds for it at most.
 */
public final class Speeds {
  private static final Logger LOG = LoggerFactory.getLogger(Speeds.class);
  private static final Duration BETWEEN_WRITES = Duration.ofMinutes(1);

  private final Optional<SpeedsFile> file;
  private final boolean failsOnError;
  private final Clock clock;
  private final Map<SpeedKey, Double> byExecutor = new HashMap<>();
  private final Map<SpeedKey, Map<String, Double>> executorsOfHost = new HashMap<>();
  private final Map<SpeedKey, Double> byHost = new HashMap<>();
  private final Map<SpeedKey, Double> unwritten = new HashMap<>();
  private final FileWrites writes = new FileWrites("spark-ata-speeds");
  private final AtomicBoolean isIdle = new AtomicBoolean(true);
  private boolean isRead;
  private boolean mayWrite = true;
  private boolean isWarnedOfWriting;
  private Instant lastWrite = Instant.MIN;

  /**
   * @param file empty if speeds are forgotten with the application
   * @param failsOnError whether a file that cannot be read is an error of the training
   */
  public Speeds(Optional<SpeedsFile> file, boolean failsOnError, Clock clock) {
    this.file = file;
    this.failsOnError = failsOnError;
    this.clock = clock;
  }

  /**
   * Nanoseconds per packed byte and slot; empty if neither executor nor host is known.
   *
   * @throws IllegalStateException if the file cannot be read and {@code failsOnError} is set
   */
  public synchronized OptionalDouble nanosPerByte(String executor, String host, String kernel) {
    read();
    Double known = byExecutor.get(new SpeedKey(executor, kernel));
    known = known != null ? known : byHost.get(new SpeedKey(host, kernel));
    return known == null ? OptionalDouble.empty() : OptionalDouble.of(known);
  }

  /**
   * Remembers what a training measured.
   *
   * @param nanosPerByte nanoseconds per packed byte and slot; ignored unless positive and finite
   */
  public synchronized void remember(
      String executor, String host, String kernel, double nanosPerByte) {
    if (nanosPerByte > 0 && nanosPerByte < Double.POSITIVE_INFINITY) {
      byExecutor.put(new SpeedKey(executor, kernel), nanosPerByte);
      SpeedKey ofHost = new SpeedKey(host, kernel);
      Map<String, Double> there = executorsOfHost.computeIfAbsent(ofHost, key -> new HashMap<>());
      there.put(executor, nanosPerByte);
      double mean = there.values().stream().mapToDouble(each -> each / there.size()).sum();
      byHost.put(ofHost, mean);
      unwritten.put(ofHost, mean);
    }
  }

  /** Forgets executors that are gone, so that a host's speed is the mean of its live executors. */
  public synchronized void forgetAllBut(Set<String> executors) {
    byExecutor.keySet().removeIf(key -> !executors.contains(key.place()));
    executorsOfHost.values().forEach(there -> there.keySet().retainAll(executors));
    executorsOfHost.values().removeIf(Map::isEmpty);
  }

  /** Writes new speeds if the last write was at least a minute ago. */
  public void writeIfDue() {
    if (isDue()) {
      write();
    }
  }

  private synchronized boolean isDue() {
    return Duration.between(lastWrite, clock.instant()).compareTo(BETWEEN_WRITES) >= 0;
  }

  /** Writes new speeds. A failure is logged once; the next call tries again. */
  public void write() {
    if (hasNews() && isIdle.compareAndSet(true, false)) {
      writes.add(this::merge);
      if (!writes.await()) {
        warn(FileWrites.NO_ANSWER, null);
      }
    }
  }

  private synchronized boolean hasNews() {
    return file.isPresent() && mayWrite && !unwritten.isEmpty();
  }

  /** On the thread that writes. */
  private void merge() {
    try {
      Map<SpeedKey, Double> news = news();
      file.orElseThrow().merge(news, clock.instant());
      written(news);
    } catch (Throwable error) {
      Trouble.rethrowFatal(error);
      warn(error.getMessage(), error);
    } finally {
      isIdle.set(true);
    }
  }

  private synchronized Map<SpeedKey, Double> news() {
    lastWrite = clock.instant();
    return Map.copyOf(unwritten);
  }

  private synchronized void written(Map<SpeedKey, Double> news) {
    news.forEach(unwritten::remove); // unless another value has come
  }

  private synchronized void warn(String reason, Throwable error) {
    if (!isWarnedOfWriting) {
      isWarnedOfWriting = true;
      LOG.warn(
          "Spark ATA: cannot write speeds to {} ({}); later applications will learn them anew."
              + " Set {} to a file that can be written",
          file.map(SpeedsFile::path).orElse(""),
          reason,
          SpeedsFile.KEY,
          error);
    }
  }

  private void read() {
    if (isRead) {
      return;
    }
    isRead = true;
    if (file.isEmpty()) {
      return;
    }
    try {
      // On a thread of its own: a write that waits for this lock must not hold it.
      new FileWrites("spark-ata-speeds").read(file.get()::read).forEach(byHost::putIfAbsent);
    } catch (TimeoutException silent) {
      cannotRead(FileWrites.NO_ANSWER, silent);
    } catch (InterruptedException cancelled) { // the training's next job says so
      Thread.currentThread().interrupt();
      isRead = false;
    } catch (ExecutionException failed) {
      Trouble.rethrowFatal(failed.getCause());
      cannotRead(failed.getCause().getMessage(), failed.getCause());
    }
  }

  private void cannotRead(String reason, Throwable error) {
    mayWrite = false;
    String message =
        "Spark ATA: cannot read speeds from "
            + file.orElseThrow().path()
            + " ("
            + reason
            + "); executors start unknown and the file stays as it is. Remove it, or set "
            + SpeedsFile.KEY
            + " to another file";
    if (failsOnError) {
      throw new IllegalStateException(message, error);
    }
    LOG.warn(message, error);
  }
}
