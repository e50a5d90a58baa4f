package io.sparkata.gate;

import java.util.Optional;

/**
 * Checks without starting Spark whether this jar fits it: {@code java -cp "<this
 * jar>:$SPARK_HOME/jars/*" io.sparkata.gate.CheckFit}. Exits with 1 if it does not.
 */
public final class CheckFit {
  private static final String USAGE =
      "Usage: java -cp \"<this jar>:$SPARK_HOME/jars/*\" io.sparkata.gate.CheckFit\n"
          + "Says whether the jar fits that Spark and this Java, and exits with 1 where not.";

  private CheckFit() {}

  /** Takes no arguments but {@code --help}. */
  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      boolean isHelp = arguments[0].equals("--help") || arguments[0].equals("-h");
      (isHelp ? System.out : System.err).println(USAGE);
      System.exit(isHelp ? 0 : 2);
    }
    Build build = Build.read();
    Gate gate = new Gate(build, CheckFit.class.getClassLoader());
    String spark = sparkVersion();
    Optional<Misfit> misfit = gate.ofPlatform();
    if (!misfit.isPresent()) {
      misfit = gate.ofSpark(spark);
    }
    if (misfit.isPresent()) {
      System.err.println("Spark ATA: " + misfit.get().cause() + ". " + misfit.get().remedy());
      System.exit(1);
    }
    System.out.println(
        build.artifact() + " " + build.version() + " fits Spark " + spark + gate.noteOn(spark));
  }

  private static String sparkVersion() {
    try {
      return (String)
          Class.forName("org.apache.spark.package").getMethod("SPARK_VERSION").invoke(null);
    } catch (ReflectiveOperationException | LinkageError absent) {
      System.err.println("Cannot find Spark on the class path (" + absent + ")\n" + USAGE);
      System.exit(2);
      throw new IllegalStateException(absent);
    }
  }
}
