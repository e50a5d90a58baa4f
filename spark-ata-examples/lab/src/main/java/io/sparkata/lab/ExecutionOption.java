package io.sparkata.lab;

import io.sparkata.config.Execution;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code --execution}; mixed into the commands that have it. */
public final class ExecutionOption {
  @Option(
      names = "--execution",
      paramLabel = "E",
      defaultValue = "auto",
      description =
          "spark.ata.execution of the trainings: auto, stage or resident. Default: ${DEFAULT-VALUE}.")
  private Execution execution;

  /** As {@code spark.ata.execution} has it. */
  public String value() {
    return execution.name().toLowerCase(Locale.ROOT);
  }

  /** Whether all rounds that can go by message must. */
  public boolean isByMessage() {
    return execution == Execution.RESIDENT;
  }
}
