package io.sparkata.lab.bench;

import io.sparkata.lab.Progress;

/** Looks at a training while it runs: its storage memory, and its iterations for a live line. */
final class Watch implements AutoCloseable {
  private static final long EVERY_MILLIS = 1000;

  private final Training training;
  private final Progress progress;
  private final String side;
  private final Thread thread = new Thread(this::run, "watch");
  private volatile long mostStorageBytes = Executors.storageBytes();

  /**
   * Looks until {@link #close}.
   *
   * @param progress gets a line whenever iterations have ended; null for none
   */
  Watch(Training training, Progress progress, String side) {
    this.training = training;
    this.progress = progress;
    this.side = side;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    int told = -1;
    while (true) {
      try {
        Thread.sleep(EVERY_MILLIS);
        mostStorageBytes = Math.max(mostStorageBytes, Executors.storageBytes());
      } catch (Exception interrupted) { // Spark's calls do not declare it
        return;
      }
      int ended = training.ended();
      if (progress != null && ended != told) {
        progress.say(
            "%s: %s", side, ended == 0 ? "before the first iteration" : ended + " iterations");
        told = ended;
      }
    }
  }

  /** The most storage memory in use on all executors so far, the caller's rows included. */
  long mostStorageBytes() {
    return Math.max(mostStorageBytes, Executors.storageBytes());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
