package io.sparkata.lab;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all commands of {@code scripts/ata} share. A command checks its arguments first, throws
 * {@link BadArgument} for a bad one (exit code 2) and {@link RunFailure} where the work fails (1).
 */
@Command(
    sortOptions = false,
    abbreviateSynopsis = true,
    descriptionHeading = "%n",
    optionListHeading = "%n")
public abstract class AtaCommand implements Callable<Integer> {
  private final long start = System.nanoTime();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = Integer.MAX_VALUE,
      description = "Prints this text.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Spec private CommandSpec spec;

  /** Checks a number that must be from {@code least} to {@code most}. */
  protected static void requireRange(String name, long value, long least, long most) {
    String rule = "a whole number from %d to %d".formatted(least, most);
    BadArgument.require(value >= least && value <= most, name, value, rule);
  }

  /** A choice as users type it. */
  protected static String lower(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /** Progress: one line on stderr, after the seconds since the command started. */
  protected final void say(String pattern, Object... values) {
    double seconds = (System.nanoTime() - start) / 1e9;
    String text = String.format(Locale.ROOT, pattern, values);
    spec.commandLine().getErr().println(String.format(Locale.ROOT, "[%4.0f s] %s", seconds, text));
    spec.commandLine().getErr().flush();
  }

  /** A result on stdout; {@code text} ends with its own line break. */
  protected final void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }
}
