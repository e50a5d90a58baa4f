package io.sparkata.testing;

import io.sparkata.spark.ExecutorInternals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;

/** The executors' processes. */
public final class Processes {
  private static final int TASKS = 64;
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Processes() {}

  /** Process ids of the executors, without the caller's own. */
  public static List<Long> ofExecutors(JavaSparkContext context) {
    return context
        .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
        .map(unused -> ProcessHandle.current().pid())
        .distinct()
        .collect()
        .stream()
        .sorted()
        .toList();
  }

  /** The process of an executor. */
  public static long ofExecutor(JavaSparkContext context, String executorId) {
    return context
        .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
        .filter(unused -> ExecutorInternals.executorId().equals(executorId))
        .map(unused -> ProcessHandle.current().pid())
        .first();
  }

  /** {@code kill -9}, and waits until the process is gone. */
  public static void kill9(long pid) {
    signal("KILL", pid);
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
  }

  /** Stops a process, whose connections stay open. */
  public static void stop(long pid) {
    signal("STOP", pid);
  }

  /** Lets a stopped process go on. */
  public static void goOn(long pid) {
    signal("CONT", pid);
  }

  /** Lets a process run for {@code share} of the time only, until so many milliseconds are over. */
  public static void throttle(long pid, double share, long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end && isAlive(pid)) {
      stop(pid);
      LockSupport.parkNanos((long) ((1 - share) * PERIOD_NANOS));
      goOn(pid);
      LockSupport.parkNanos((long) (share * PERIOD_NANOS));
    }
  }

  /** Makes an executor move its blocks and end, as a spot machine does. */
  public static void decommission(long pid) {
    signal("PWR", pid);
  }

  /** Whether {@link #fillDisk} can be done here. */
  static boolean canFillDisk() {
    String pid = Long.toString(ProcessHandle.current().pid());
    return Commands.canRun("prlimit", "--pid", pid, "--fsize=unlimited:");
  }

  /** As a full disk does: the process can create files, and fails to write to them. */
  static void fillDisk(long pid) {
    limitFiles(pid, "0:");
  }

  /** Lets it write again. */
  static void freeDisk(long pid) {
    limitFiles(pid, "unlimited:");
  }

  private static void limitFiles(long pid, String size) {
    if (!Commands.canRun("prlimit", "--pid", Long.toString(pid), "--fsize=" + size)
        && isAlive(pid)) {
      throw new IllegalStateException("Cannot limit the files of " + pid);
    }
  }

  /** Stops this JVM a moment from now, and lets it go on after so many seconds. */
  public static void pauseThisJvm(int seconds) {
    String pid = Long.toString(ProcessHandle.current().pid());
    String script = "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid;
    try {
      new ProcessBuilder("sh", "-c", script).inheritIO().start();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** By the shell's own kill: a bare Debian has no other. */
  private static void signal(String name, long pid) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).inheritIO().start().waitFor();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
