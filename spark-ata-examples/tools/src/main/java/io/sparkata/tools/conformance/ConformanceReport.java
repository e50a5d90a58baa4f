package io.sparkata.tools.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.tools.conformance.SuiteResult.Outcome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts the results of stock Spark and of Spark ATA side by side, and judges them. */
@Command(name = "mllib-conformance")
public final class ConformanceReport implements Callable<Integer> {
  private static final List<String> SUITES =
      List.of(
          "GradientDescentSuite",
          "SVMSuite",
          "SVMClusterSuite",
          "FMClassifierSuite",
          "MultilayerPerceptronClassifierSuite");

  /** The published suite uses l-bfgs only. */
  private static final Set<String> WITHOUT_GRADIENT_DESCENT =
      Set.of("MultilayerPerceptronClassifierSuite");

  private static final int LONGEST_NAME = 84;

  @Option(names = "--json", description = "One JSON object on stdout.")
  private boolean json;

  @Parameters(
      arity = "1..*",
      description = "Result folders, named by profile, with SIDE/SUITE below.")
  private List<Path> profiles;

  @Spec private CommandSpec spec;

  private final List<String> complaints = new ArrayList<>();

  /** Exits with 0 if all conforms, else with 1. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ConformanceReport()).execute(arguments));
  }

  @Override
  public Integer call() throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode suites = root.putArray("suites");
    StringBuilder table = new StringBuilder();
    for (Path profile : profiles) {
      for (String suite : SUITES) {
        compare(profile, suite, table, suites.addObject());
      }
    }
    complaints.forEach(root.putArray("complaints")::add);
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? mapper.writeValueAsString(root) + "\n" : table);
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    complaints.forEach(err::println);
    err.flush();
    return complaints.isEmpty() ? 0 : 1;
  }

  private void compare(Path profile, String suite, StringBuilder table, ObjectNode node) {
    SuiteResult stock = SuiteResult.in(profile.resolve("stock").resolve(suite));
    SuiteResult routed = SuiteResult.in(profile.resolve("routed").resolve(suite));
    String name = profile.getFileName() + ", " + suite;
    node.put("profile", profile.getFileName().toString()).put("suite", suite);
    node.put("routed", routed.routed()).put("rounds", routed.rounds());
    node.put("fallbacks", routed.fallbacks());
    table.append(
        String.format(
            Locale.ROOT,
            "%s: calls routed %d, rounds of Spark ATA %d, fallbacks %d%n",
            name,
            routed.routed(),
            routed.rounds(),
            routed.fallbacks()));
    table.append(String.format(Locale.ROOT, "  %-84s %-8s %-8s%n", "", "stock", "routed"));
    ArrayNode tests = node.putArray("tests");
    Set<String> names = new TreeSet<>(stock.outcomes().keySet());
    names.addAll(routed.outcomes().keySet());
    for (String test : names) {
      String left = text(stock.outcome(test));
      String right = text(routed.outcome(test));
      tests.addObject().put("test", test).put("stock", left).put("routed", right);
      table.append(String.format(Locale.ROOT, "  %-84s %-8s %-8s%n", shortened(test), left, right));
      if (stock.outcome(test) == Outcome.PASSED && routed.outcome(test) != Outcome.PASSED) {
        complaints.add(
            name + ": '" + test + "' passes with stock Spark and is " + right + " routed");
      }
    }
    if (stock.outcomes().isEmpty() || routed.outcomes().isEmpty()) {
      complaints.add(name + ": did not run, see out.txt and suite.log in " + profile);
    } else if (routed.rounds() == 0 && !WITHOUT_GRADIENT_DESCENT.contains(suite)) {
      complaints.add(name + ": Spark ATA ran no round");
    } else if (routed.fallbacks() > 0) {
      complaints.add(name + ": " + routed.fallbacks() + " trainings fell back to MLlib's path");
    }
  }

  private static String text(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  private static String shortened(String test) {
    return test.length() <= LONGEST_NAME ? test : test.substring(0, LONGEST_NAME - 3) + "...";
  }
}
