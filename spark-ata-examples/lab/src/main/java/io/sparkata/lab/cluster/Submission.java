package io.sparkata.lab.cluster;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Program;
import io.sparkata.lab.Project;
import java.util.ArrayList;
import java.util.List;

/** One run of {@code scripts/submit} with a class of the lab's jar. */
public final class Submission {
  private final String mainClass;
  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();

  /** Submits {@code mainClass}, with its name for the application's. */
  public Submission(String mainClass) {
    this.mainClass = mainClass;
  }

  /** Sets an option of spark-submit; the last value counts. */
  public Submission option(String name, String value) {
    options.addAll(List.of(name, value));
    return this;
  }

  /** Sets a key of Spark's configuration; the last value counts. */
  public Submission conf(String key, String value) {
    return option("--conf", key + "=" + value);
  }

  /** Adds arguments of the application. */
  public Submission arguments(String... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  /** The run, with a driver on the loopback address; its output can still be directed elsewhere. */
  public Program program() {
    List<String> command = Launch.script("submit", "--class", mainClass);
    command.addAll(options);
    command.add(Project.labJar().toString());
    command.addAll(arguments);
    return new Program(command)
        .with("SPARK_LOCAL_IP", "127.0.0.1")
        .without("HADOOP_CONF_DIR") // another YARN's, perhaps
        .without("YARN_CONF_DIR");
  }
}
