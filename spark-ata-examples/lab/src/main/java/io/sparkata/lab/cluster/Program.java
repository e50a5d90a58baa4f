package io.sparkata.lab.cluster;

import io.sparkata.lab.RunFailure;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run of another program, which ends with this JVM. What it prints goes to standard error by
 * default.
 */
public final class Program {
  private static final Duration GRACE = Duration.ofSeconds(20);

  private final ProcessBuilder builder;
  private Consumer<String> lines = System.err::println;
  private boolean outlivesShutdown;
  private Process process;
  private boolean isEnded;

  /** A program and its arguments. */
  public Program(List<String> command) {
    builder = new ProcessBuilder(new ArrayList<>(command));
    builder.redirectInput(new File("/dev/null")).redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /** Sets its working directory. */
  public Program in(Path folder) {
    builder.directory(folder.toFile());
    return this;
  }

  /** Sets a variable of its environment. */
  public Program with(String variable, String value) {
    builder.environment().put(variable, value);
    return this;
  }

  /** Takes a variable out of its environment. */
  public Program without(String variable) {
    builder.environment().remove(variable);
    return this;
  }

  /** Gives each line of its standard output to {@code consumer}, on a thread of its own. */
  public Program lines(Consumer<String> consumer) {
    lines = consumer;
    return this;
  }

  /** Has it write to this program's standard output. */
  public Program toStdout() {
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    return this;
  }

  /** Writes both its streams to one file. */
  public Program allTo(Path file) {
    builder.redirectErrorStream(true).redirectOutput(file.toFile());
    return this;
  }

  /** For a program that cleans up: it may start while this JVM shuts down. */
  Program outlivingShutdown() {
    outlivesShutdown = true;
    return this;
  }

  /** The program and its arguments. */
  public List<String> command() {
    return List.copyOf(builder.command());
  }

  /**
   * Runs it to its end.
   *
   * @return its exit status
   * @throws RunFailure if it cannot be started, or this JVM shuts down
   */
  public int run() {
    Thread hook = new Thread(this::end, "end " + name());
    try {
      if (!outlivesShutdown) {
        Runtime.getRuntime().addShutdownHook(hook);
      }
      start();
      Thread pump = new Thread(this::pump, "output of " + name());
      pump.setDaemon(true);
      pump.start();
      process.waitFor();
      pump.join(GRACE.toMillis()); // a process that it left behind may hold the pipe open
      return process.exitValue();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new RunFailure("Interrupted.", stop);
    } catch (IllegalStateException shutdown) {
      throw new RunFailure("Interrupted.", shutdown);
    } finally {
      end();
      removeHook(hook);
    }
  }

  private synchronized void start() {
    if (isEnded) {
      throw new RunFailure("Interrupted.");
    }
    try {
      process = builder.start();
    } catch (IOException error) {
      throw new RunFailure("Cannot start " + name() + ": " + error.getMessage());
    }
  }

  private void pump() {
    try (BufferedReader reader = process.inputReader(Charset.defaultCharset())) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
    } catch (IOException closed) {
      // the process was ended
    } catch (UncheckedIOException broken) {
      process.destroy();
    }
  }

  /** Ends the program and what it has started, if it runs, and returns when it is gone. */
  synchronized void end() {
    isEnded = true;
    if (process == null || !process.isAlive()) {
      return;
    }
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        all.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
      }
    } catch (InterruptedException stop) {
      all.forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  private String name() {
    return Path.of(builder.command().get(0)).getFileName().toString();
  }

  static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shutdown) {
      // it runs already
    }
  }
}
