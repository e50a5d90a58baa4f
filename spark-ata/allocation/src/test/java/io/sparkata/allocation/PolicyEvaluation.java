package io.sparkata.allocation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The policies against the bars that documents name: the tables of docs/paper/policies.md. */
final class PolicyEvaluation {
  private PolicyEvaluation() {}

  /** The tables of one subject, in the order of the page. */
  enum Part {
    BARS,
    DRIFT,
    CHURN,
    PRIORS,
    ABLATIONS;

    List<EvaluationTable> tables(Effort effort) {
      return switch (this) {
        case BARS -> new StationaryEvaluation(effort).tables();
        case DRIFT -> new DriftEvaluation(effort).tables();
        case CHURN -> new ChurnEvaluation(effort).tables();
        case PRIORS -> new PriorEvaluation(effort).tables();
        case ABLATIONS -> new AblationEvaluation(effort).tables();
      };
    }
  }

  /**
   * Prints the page. Arguments: "full", or "quick" for fewer seeds and no run of 10,000 rounds; and
   * the class of a policy of your own, which gets a column in all tables but the ablations.
   */
  public static void main(String[] arguments) {
    boolean isQuick = arguments[0].equals("quick");
    Optional<String> ownPolicy = Arrays.stream(arguments).skip(1).findFirst();
    System.out.print(page(new Effort(isQuick ? 4 : 20, isQuick, ownPolicy)));
  }

  private static String page(Effort effort) {
    String head =
        "# Policies in the simulator\n\n"
            + EvaluationTable.wrapped(
                String.format(
                    Locale.ROOT,
                    "Printed by `PolicyEvaluation`; `PoliciesPageTest` holds this page to it"
                        + " ([commands](../../CONTRIBUTING.md#build-and-test)). Cells are means ±"
                        + " standard errors over seeds, which count from 0. \"met\" and \"missed\""
                        + " compare the mean of `adaptive` with the bar. Constants: `%s`.",
                    AdaptiveTuning.DEFAULT))
            + "\n";
    return Arrays.stream(Part.values())
        .peek(part -> System.err.println("Computing " + part + " ..."))
        .flatMap(part -> part.tables(effort).stream())
        .map(EvaluationTable::markdown)
        .collect(Collectors.joining("\n", head, ""));
  }
}
