package io.sparkata.lab;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What picocli refuses, in this project's words: "Invalid X: value (rule)". */
final class ArgumentMessages {
  private ArgumentMessages() {}

  static String of(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched);
    }
    if (error instanceof MissingParameterException missing) {
      return missing(missing);
    }
    if (error instanceof OverwrittenOptionException repeated) {
      return "Invalid option: %s (given more than once)".formatted(name(repeated.getOverwritten()));
    }
    if (error.getArgSpec() != null && error.getValue() != null) {
      ArgSpec option = error.getArgSpec();
      return "Invalid %s: %s (%s)".formatted(name(option), error.getValue(), rule(option));
    }
    return String.valueOf(error.getMessage());
  }

  private static String unmatched(UnmatchedArgumentException error) {
    CommandLine line = error.getCommandLine();
    List<String> arguments = error.getUnmatched();
    String first = arguments.isEmpty() ? "" : arguments.get(0);
    if (first.startsWith("-")) {
      String option = first.replaceFirst("=.*", "");
      return line.getCommandSpec().findOption(option) == null
          ? "Invalid option: %s (unknown)".formatted(option)
          : "Invalid option: %s (it takes no value)".formatted(first);
    }
    if (!line.getSubcommands().isEmpty()) {
      return "Invalid command: %s (one of %s)"
          .formatted(first, String.join(", ", line.getSubcommands().keySet()));
    }
    return "Invalid argument: %s (unknown)".formatted(first);
  }

  private static String missing(MissingParameterException error) {
    String names =
        error.getMissing().stream().map(ArgumentMessages::name).collect(Collectors.joining(", "));
    boolean isValue = String.valueOf(error.getMessage()).contains("parameter for option");
    return "Invalid command line: %s%s is missing (it is needed)"
        .formatted(isValue ? "the value of " : "", names);
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String rule(ArgSpec argument) {
    Class<?> type =
        argument.auxiliaryTypes().length > 0 ? argument.auxiliaryTypes()[0] : argument.type();
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(value -> value.toString().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return "a whole number";
    }
    if (type == boolean.class) {
      return "it takes no value";
    }
    return type == double.class || type == Double.class ? "a number" : "see the help";
  }
}
