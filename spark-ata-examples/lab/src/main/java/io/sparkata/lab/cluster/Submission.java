package io.sparkata.lab.cluster;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Project;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run of {@code scripts/submit} with a class of the lab's jar. */
public final class Submission {
  private final String mainClass;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final Map<String, String> conf = new LinkedHashMap<>();
  private final List<String> arguments = new ArrayList<>();
  private final List<String> withoutVariables = new ArrayList<>();

  /** Submits {@code mainClass}, with its name for the application's. */
  public Submission(String mainClass) {
    this.mainClass = mainClass;
  }

  /** Sets an option of spark-submit; the last value counts. */
  public Submission option(String name, String value) {
    options.put(name, value);
    return this;
  }

  /** Sets a key of Spark's configuration; the last value counts. */
  public Submission conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /** Adds arguments of the application. */
  public Submission arguments(List<String> more) {
    arguments.addAll(more);
    return this;
  }

  /** Adds arguments of the application. */
  public Submission arguments(String... more) {
    return arguments(List.of(more));
  }

  /** Takes a variable out of the environment. */
  public Submission without(String variable) {
    withoutVariables.add(variable);
    return this;
  }

  /** The run, with a driver on the loopback address; its output can still be directed elsewhere. */
  public Program program() {
    List<String> command = Launch.script("submit", "--class", mainClass);
    options.forEach((name, value) -> command.addAll(List.of(name, value)));
    conf.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.add(Project.labJar().toString());
    command.addAll(arguments);
    Program program = new Program(command).with("SPARK_LOCAL_IP", "127.0.0.1");
    withoutVariables.forEach(program::without);
    return program;
  }
}
