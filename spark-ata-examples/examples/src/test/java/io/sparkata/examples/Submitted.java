package io.sparkata.examples;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.streaming.StreamingContext;
import org.apache.spark.streaming.StreamingContextState;
import org.awaitility.Awaitility;

/** Runs programs in this JVM, with settings as {@code --conf} gives them and the plugin loaded. */
final class Submitted {
  private static final String WEIGHTS = "weights: ";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Submitted() {}

  /** The main method of an example. */
  @FunctionalInterface
  interface Program {
    void run(String[] arguments) throws Exception;
  }

  /** Returns what the program prints. */
  static String run(Program program, Map<String, String> settings, String... arguments) {
    return run(program, settings, new ByteArrayOutputStream(), arguments);
  }

  /** Moves each batch into the inbox once the program has trained the one before; then stops it. */
  static String runStreaming(
      Program program,
      Map<String, String> settings,
      Path inbox,
      List<String> batches,
      String features) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    CompletableFuture<Void> feeder =
        CompletableFuture.runAsync(() -> feed(inbox, batches, printed));
    run(program, settings, printed, inbox.toUri().toString(), features);
    feeder.join();
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** The weights that a program has printed, in order. */
  static List<Vector> weights(String printed) {
    return printed
        .lines()
        .filter(line -> line.startsWith(WEIGHTS))
        .map(line -> Vectors.parse(line.substring(WEIGHTS.length())))
        .toList();
  }

  private static String run(
      Program program,
      Map<String, String> settings,
      ByteArrayOutputStream printed,
      String... arguments) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("spark.master", "local[2]");
    all.put("spark.ui.enabled", "false");
    all.put("spark.sql.shuffle.partitions", "2"); // a few rows only
    all.put("spark.plugins", "io.sparkata.AtaPlugin");
    PrintStream console = System.out;
    all.forEach(System::setProperty);
    System.setOut(new PrintStream(printed, /* autoFlush= */ true, StandardCharsets.UTF_8));
    try {
      program.run(arguments);
    } catch (Exception error) {
      throw new AssertionError(error);
    } finally {
      System.setOut(console);
      all.keySet().forEach(System::clearProperty);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @SuppressWarnings("deprecation") // MLlib's streaming models take DStreams
  private static void feed(Path inbox, List<String> batches, ByteArrayOutputStream printed) {
    Awaitility.await().atMost(PATIENCE).until(Submitted::isStreaming);
    try {
      for (int batch = 0; batch < batches.size(); batch++) {
        int trained = batch + 1;
        // Spark reads a file as soon as it sees it, so the file must be whole when it appears.
        Path whole = inbox.resolveSibling(inbox.getFileName() + "-" + batch);
        Files.writeString(whole, batches.get(batch));
        Files.move(whole, inbox.resolve("batch-" + batch));
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> weights(printed.toString(StandardCharsets.UTF_8)).size() == trained);
      }
    } catch (IOException error) {
      throw new AssertionError(error);
    } finally {
      StreamingContext.getActive().get().stop(/* stopSparkContext= */ true, /* gracefully= */ true);
    }
  }

  @SuppressWarnings("deprecation") // MLlib's streaming models take DStreams
  private static boolean isStreaming() {
    return StreamingContext.getActive()
        .exists(context -> context.getState() == StreamingContextState.ACTIVE);
  }
}
