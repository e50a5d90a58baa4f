package io.sparkata.lab.maven;

import io.sparkata.lab.Project;
import io.sparkata.lab.cluster.Program;
import java.util.ArrayList;
import java.util.List;

/** Maven runs in this project. */
public final class Maven {
  private Maven() {}

  /** A run with one of the profiles, a Spark; what it prints goes to standard error. */
  public static Program program(String profile, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("ata.mvn", Project.path("mvnw").toString()), // another in tests
                "--batch-mode",
                "--no-transfer-progress",
                "-Dstyle.color=never",
                "-P" + profile,
                "-Data.commit=" + Project.commit()));
    command.addAll(arguments);
    return new Program(command).in(Project.root());
  }
}
