package io.sparkata.lab;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run of another program, which ends with this JVM. What it prints goes to standard error by
 * default.
 */
public final class Program {
  private static final int GRACE_SECONDS = 20;

  private final ProcessBuilder builder;
  private Consumer<String> lines = System.err::println;
  private boolean outlivesShutdown;
  private Process process;
  private boolean isEnded;

  /** A program and its arguments. */
  public Program(List<String> command) {
    builder = new ProcessBuilder(new ArrayList<>(command));
    builder.redirectInput(new File("/dev/null")).redirectError(Redirect.INHERIT);
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

  /** Gives each line of its standard output to {@code consumer}. */
  public Program lines(Consumer<String> consumer) {
    lines = consumer;
    return this;
  }

  /** Has it write to this program's standard output. */
  public Program toStdout() {
    builder.redirectOutput(Redirect.INHERIT);
    return this;
  }

  /** Writes both its streams to one file. */
  public Program allTo(Path file) {
    builder.redirectErrorStream(true).redirectOutput(file.toFile());
    return this;
  }

  /** For a program that cleans up: it may start while this JVM shuts down. */
  public Program outlivingShutdown() {
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
      process.inputReader(Charset.defaultCharset()).lines().forEach(lines);
      return process.waitFor();
    } catch (InterruptedException | IllegalStateException | UncheckedIOException ended) {
      throw new RunFailure("Interrupted.", ended);
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

  /** Ends the program and what it has started, if it runs, and returns when it is gone. */
  public synchronized void end() {
    isEnded = true;
    if (process == null || !process.isAlive()) {
      return;
    }
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    try {
      process.onExit().orTimeout(GRACE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException late) {
      all.forEach(ProcessHandle::destroyForcibly);
      process.onExit().join();
    }
  }

  private String name() {
    return Path.of(builder.command().get(0)).getFileName().toString();
  }

  /** Does nothing while this JVM shuts down. */
  public static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shutdown) {
      // it runs already
    }
  }
}
