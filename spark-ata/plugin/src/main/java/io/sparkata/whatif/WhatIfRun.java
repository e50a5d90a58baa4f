package io.sparkata.whatif;

import io.sparkata.spark.EventLogs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One run of the program.
 *
 * @param out gets the result
 * @param err gets progress and errors
 */
public record WhatIfRun(PrintStream out, PrintStream err) {
  private static final String USAGE =
      """
      Usage: java -cp "SPARK-ATA.jar:$SPARK_HOME/jars/*:$HADOOP_CONF_DIR" io.sparkata.WhatIf [options] LOG...
      In this repository: scripts/ata what-if [options] LOG...

      Says what Spark ATA would have saved in past Spark applications, by their event logs. LOG is an event log, plain,
      compressed or rolled, or a folder of such; paths may be of any file system that Hadoop knows.

        --json        prints one JSON object
        --html FILE   also writes a page with charts
        -h, --help    prints this

      Results go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 failed, 2 bad arguments.
      """;

  private static final int FAILED = 1;
  private static final int BAD_ARGUMENTS = 2;

  /** What a user asked for. */
  private record Asked(boolean isJson, Optional<Path> page, List<String> paths) {}

  private static final class BadArguments extends Exception {
    private static final long serialVersionUID = 1L;

    BadArguments(String message) {
      super(message);
    }
  }

  /** Returns the exit code. */
  public int run(String... arguments) {
    List<String> given = List.of(arguments);
    if (given.contains("--help") || given.contains("-h")) {
      out.print(USAGE);
      return 0;
    }
    Asked asked;
    try {
      asked = asked(arguments);
    } catch (BadArguments bad) {
      err.println(bad.getMessage());
      err.println("See: --help");
      return BAD_ARGUMENTS;
    }
    List<PastApplication> applications = new ArrayList<>();
    boolean isRead = readAll(asked.paths, applications);
    if (applications.isEmpty()) {
      return FAILED;
    }
    applications.sort(
        Comparator.comparingDouble((PastApplication one) -> one.saved().low()).reversed());
    if (asked.isJson) {
      out.println(WhatIfJson.of(applications).toPrettyString());
    } else {
      applications.forEach(one -> WhatIfText.lines(one).forEach(out::println));
    }
    return isWritten(asked, applications) && isRead ? 0 : FAILED;
  }

  private static Asked asked(String... arguments) throws BadArguments {
    boolean isJson = false;
    Optional<Path> page = Optional.empty();
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--json")) {
        isJson = true;
      } else if (argument.equals("--html")) {
        i++;
        if (i == arguments.length) {
          throw new BadArguments("--html has no value: a file to write is needed");
        }
        page = Optional.of(Path.of(arguments[i]));
        Path folder = page.get().toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
          throw new BadArguments(
              "Invalid --html: " + page.get() + " (there is no folder " + folder + ")");
        }
      } else if (argument.startsWith("-")) {
        throw new BadArguments(
            "Unknown option " + argument + ": --json, --html FILE and --help are known");
      } else {
        paths.add(argument);
      }
    }
    if (paths.isEmpty()) {
      throw new BadArguments("No LOG is given: the path of an event log or of a folder is needed");
    }
    return new Asked(isJson, page, paths);
  }

  /** Whether all could be read. */
  private boolean readAll(List<String> paths, List<PastApplication> applications) {
    EventLogs logs = new EventLogs();
    boolean isRead = true;
    for (String path : paths) {
      try {
        List<org.apache.hadoop.fs.Path> found = logs.at(path);
        if (found.isEmpty()) {
          throw new IOException("the folder has no event log");
        }
        for (org.apache.hadoop.fs.Path log : found) {
          isRead &= read(logs, log, applications);
        }
      } catch (IOException | IllegalArgumentException error) {
        isRead = false;
        err.println("Cannot read " + path + ": " + reason(error));
      }
    }
    return isRead;
  }

  private boolean read(
      EventLogs logs, org.apache.hadoop.fs.Path log, List<PastApplication> applications) {
    err.println("Reading " + log);
    LogListener listener = new LogListener();
    try {
      boolean isWhole = logs.replay(log, LogListener.EVENTS, listener);
      if (!listener.isApplication()) {
        throw new IOException("it is no event log of a Spark application");
      }
      if (!isWhole) {
        err.println("Read only a part of " + log + ": its end is missing, or an event is unknown");
      }
      applications.add(listener.application(log.toString()));
      return true;
    } catch (Exception | AssertionError error) { // Spark throws any of them for a broken file
      err.println("Cannot read " + log + ": " + reason(error));
      return false;
    }
  }

  private boolean isWritten(Asked asked, List<PastApplication> applications) {
    if (asked.page.isEmpty()) {
      return true;
    }
    try {
      Files.writeString(asked.page.get(), WhatIfPage.of(applications));
      return true;
    } catch (IOException error) {
      err.println("Cannot write " + asked.page.get() + ": " + reason(error));
      return false;
    }
  }

  private static String reason(Throwable error) {
    return error.getMessage() == null ? error.toString() : error.getMessage();
  }
}
