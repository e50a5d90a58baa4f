package io.sparkata.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The policies against the bars that documents name: {@code scripts/ata evaluate-policies}. */
final class PolicyEvaluation {

  private static final List<String> CASES =
      List.of("bars", "drift", "churn", "priors", "ablations");

  private PolicyEvaluation() {}

  /** Arguments: a case or "all", seeds, "quick" or "full", "json" or "text", a class. */
  public static void main(String[] arguments) {
    String chosen = arguments[0];
    Effort effort =
        new Effort(
            Integer.parseInt(arguments[1]),
            arguments[2].equals("quick"),
            Arrays.stream(arguments).skip(4).findFirst());
    long start = System.nanoTime();
    Progress progress =
        step -> System.err.printf("%5.0f s  %s%n", (System.nanoTime() - start) / 1e9, step);
    List<EvaluationTable> tables = new ArrayList<>();
    for (String name : CASES) {
      if (chosen.equals(name) || chosen.equals("all")) {
        tables.addAll(tables(name, effort, progress));
      }
    }
    progress.now("done");
    System.out.print(
        arguments[3].equals("json") ? json(chosen, effort, tables) : text(chosen, effort, tables));
  }

  private static List<EvaluationTable> tables(String name, Effort effort, Progress progress) {
    return switch (name) {
      case "bars" -> new StationaryEvaluation(effort, progress).tables();
      case "drift" -> new DriftEvaluation(effort, progress).tables();
      case "churn" -> new ChurnEvaluation(effort, progress).tables();
      case "priors" -> new PriorEvaluation(effort, progress).tables();
      case "ablations" -> new AblationEvaluation(effort, progress).tables();
      default -> throw new IllegalArgumentException("Invalid case: " + name);
    };
  }

  private static String command(String chosen, Effort effort) {
    return "scripts/ata evaluate-policies "
        + chosen
        + " --seeds "
        + effort.seeds()
        + (effort.isQuick() ? " --quick" : "")
        + effort.ownPolicy().map(name -> " --policy " + name).orElse("");
  }

  private static String json(String chosen, Effort effort, List<EvaluationTable> tables) {
    return tables.stream()
        .map(EvaluationTable::json)
        .collect(
            Collectors.joining(
                ",",
                "{\"command\":\"%s\",\"firstSeed\":0,\"tuning\":\"%s\",\"tables\":["
                    .formatted(command(chosen, effort), AdaptiveTuning.DEFAULT),
                "]}\n"));
  }

  private static String text(String chosen, Effort effort, List<EvaluationTable> tables) {
    String head =
        "# Policies in the simulator\n\n"
            + EvaluationTable.wrapped(
                ("Printed by `%s`. Cells are means ± standard errors over seeds, which count from"
                        + " 0. \"met\" and \"missed\" compare the mean of `adaptive` with the bar."
                        + " Constants: `%s`.")
                    .formatted(command(chosen, effort), AdaptiveTuning.DEFAULT))
            + "\n";
    return tables.stream()
        .map(EvaluationTable::markdown)
        .collect(Collectors.joining("\n", head, ""));
  }
}
