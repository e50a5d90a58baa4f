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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The tools of Spark ATA, one subcommand each; {@code scripts/ata} starts it. */
@Command(
    name = "scripts/ata",
    customSynopsis = "scripts/ata COMMAND [options]",
    description = "Runs a tool of Spark ATA. Builds the jars first where they are out of date.",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "scripts/ata what-if LOG says what past applications would have saved, by their event logs.",
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
public final class Ata extends AtaCommand {
  private static final int WIDTH = 110;

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
  public Integer call() {
    throw new BadArgument("command line", "empty", "a command is needed");
  }

  private static int onBadArguments(ParameterException error, String[] arguments) {
    return refuse(error.getCommandLine(), ArgumentMessages.of(error));
  }

  private static int refuse(CommandLine line, String message) {
    line.getErr().println(message);
    line.getErr().printf("See: %s --help%n", line.getCommandSpec().qualifiedName());
    return CommandLine.ExitCode.USAGE;
  }

  private static int onFailure(Exception error, CommandLine line, ParseResult parsed) {
    if (error instanceof BadArgument) {
      return refuse(line, error.getMessage());
    }
    if (error instanceof RunFailure) {
      line.getErr().println(error.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    String message = "Cannot finish %s: %s. Set ATA_DEBUG=1 to see where.";
    line.getErr().println(message.formatted(line.getCommandName(), error));
    if (System.getenv("ATA_DEBUG") != null) {
      error.printStackTrace(line.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
