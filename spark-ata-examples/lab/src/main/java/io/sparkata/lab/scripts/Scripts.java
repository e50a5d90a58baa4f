package io.sparkata.lab.scripts;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Entry point for the scripts: the name of the script, a command, its arguments. */
public final class Scripts {
  private Scripts() {}

  /** Exits with 0, 1 after a failure, 2 after a usage error, or as the command says. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    try {
      return run(args.get(0), args.get(1), args.subList(2, args.size()), out);
    } catch (ScriptFailure failure) {
      err.println(failure.getMessage());
      if (failure.isUsageError()) {
        err.println("See: " + args.get(0) + " --help");
      }
      return failure.isUsageError() ? 2 : 1;
    } catch (IOException failure) {
      err.println("Cannot read or write a file: " + failure);
      return 1;
    }
  }

  private static int run(String script, String command, List<String> args, PrintStream out)
      throws IOException {
    switch (command) {
      case "pom" -> out.print(PomFacts.read(Path.of(args.get(0))).toShell());
      case "json" -> out.println(Json.of(pairs(args)));
      case "cluster-check" -> Cluster.check(args, System.getenv(), out);
      case "cluster" -> {
        return Cluster.run(args, System.getenv(), out);
      }
      case "submit" -> Submission.print(args, System.getenv(), out);
      case "add-run" -> TestRuns.add(args, out);
      case "print-runs" -> TestRuns.print(args, out);
      default -> throw new IllegalArgumentException(script + " calls " + command);
    }
    return 0;
  }

  private static Map<String, String> pairs(List<String> args) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int i = 0; i + 1 < args.size(); i += 2) {
      pairs.put(args.get(i), args.get(i + 1));
    }
    return pairs;
  }
}
