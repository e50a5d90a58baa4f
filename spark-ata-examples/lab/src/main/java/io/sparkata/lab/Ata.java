package io.sparkata.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sparkata.lab.bench.Bench;
import io.sparkata.lab.bench.CheckReport;
import io.sparkata.lab.bench.Demo;
import io.sparkata.lab.cnn.TrainCnn;
import io.sparkata.lab.conformance.Conformance;
import io.sparkata.lab.paper.ReproducePaper;
import io.sparkata.lab.simulate.Simulate;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The tools of Spark ATA, one subcommand each; {@code scripts/ata} starts it. */
@Command(
    name = "scripts/ata",
    customSynopsis = "scripts/ata COMMAND [options]",
    description = "Runs a tool of Spark ATA. Builds the jars first where they are out of date.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "scripts/ata COMMAND --help shows the options of a command. Results go to stdout, progress",
      "to stderr. Exit codes: 0 done, 1 failed, 2 bad arguments.",
      "Environment: JAVA_HOME (17 or later), SPARK_HOME (default: a Spark from Maven), ATA_PROFILE,",
      "ATA_DEBUG=1 (stack traces)."
    },
    subcommands = {
      Demo.class,
      Bench.class,
      Simulate.class,
      Jmh.class,
      ReproducePaper.class,
      TrainCnn.class,
      CheckReport.class,
      Conformance.class,
    })
public final class Ata implements Runnable {
  private static final int WIDTH = 110;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Prints this text.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Spec private CommandSpec spec;

  private Ata() {}

  /** Exits with 0, with 1 after one line that says what failed, with 2 on bad arguments. */
  public static void main(String[] arguments) {
    System.exit(
        commandLine()
            .setOut(new PrintWriter(System.out, /* autoFlush= */ true, UTF_8))
            .setErr(new PrintWriter(System.err, /* autoFlush= */ true, UTF_8))
            .execute(arguments));
  }

  /** The program; tests give it writers of their own. */
  public static CommandLine commandLine() {
    return commandLine(new Ata());
  }

  /** Another program with the same messages and exit codes. */
  public static CommandLine commandLine(Object command) {
    return new CommandLine(command)
        .setUsageHelpWidth(WIDTH)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Ata::onBadArguments)
        .setExecutionExceptionHandler(Ata::onFailure);
  }

  /** Runs without a command: there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Invalid command line: empty (a command is needed)");
  }

  private static int onBadArguments(ParameterException error, String[] arguments) {
    CommandLine line = error.getCommandLine();
    line.getErr().println(ArgumentMessages.of(error));
    line.getErr().printf("See: %s --help%n", line.getCommandSpec().qualifiedName());
    return CommandLine.ExitCode.USAGE;
  }

  private static int onFailure(Exception error, CommandLine line, ParseResult parsed) {
    boolean isExpected = error instanceof RunFailure;
    line.getErr()
        .println(
            isExpected
                ? error.getMessage()
                : "Cannot finish %s: %s. Set ATA_DEBUG=1 to see where."
                    .formatted(line.getCommandName(), error));
    if (!isExpected && System.getenv("ATA_DEBUG") != null) {
      error.printStackTrace(line.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
