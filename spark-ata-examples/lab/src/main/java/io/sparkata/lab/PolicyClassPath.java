package io.sparkata.lab;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.AllocationPolicy;
import io.sparkata.allocation.PolicySettings;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --classpath}: where the class is that {@code --policy} names. */
public final class PolicyClassPath {

  @Option(
      names = "--classpath",
      paramLabel = "JAR[:JAR...]",
      split = ":",
      hideParamSyntax = true,
      description = "Jars, or folders of classes, with the class of --policy.")
  private List<Path> given = List.of();

  /** The jars and folders. Throws {@link BadArgument} where one is not there. */
  public List<Path> entries() {
    for (Path entry : given) {
      BadArgument.require(Files.exists(entry), "--classpath", entry, "no such file or folder");
    }
    return given.stream().map(Path::toAbsolutePath).toList();
  }

  /** Finds this program's classes and those of the entries. */
  public ClassLoader loader() {
    List<URL> urls = new ArrayList<>();
    try {
      for (Path entry : entries()) {
        urls.add(entry.toUri().toURL());
      }
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
    return new URLClassLoader(urls.toArray(new URL[0]), PolicyClassPath.class.getClassLoader());
  }

  /**
   * Checks that the entries are there, and that a class is there and is a policy, by making one.
   *
   * @param className null where none is given
   * @throws BadArgument "Invalid --policy: ..."
   */
  public void requirePolicy(String className) {
    if (className == null) {
      entries();
      return;
    }
    BadArgument.require(
        !AllocationPolicies.ids().contains(className),
        "--policy",
        className,
        "it is built in; the name of a class of yours");
    create(className, PolicySettings.defaults());
  }

  /**
   * Makes a policy by its id or its class.
   *
   * @throws BadArgument "Invalid --policy: ..."
   */
  public AllocationPolicy create(String name, PolicySettings settings) {
    try {
      return AllocationPolicies.create(name, settings, loader());
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new BadArgument(
          message
              .replace("spark.ata.policy: '" + name + "'", "--policy: " + name)
              .replace("Set spark.jars=", "Set --classpath="),
          e);
    }
  }
}
