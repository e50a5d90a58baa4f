package io.sparkata.gate;

import java.util.List;
import java.util.Optional;

/** Checks whether this jar can work in this JVM. */
final class Gate {
  private static final String MLLIB = "org/apache/spark/mllib/optimization/GradientDescent.class";
  private static final int MISSING_SHOWN = 3;

  private final Build build;
  private final ClassLoader loader;

  Gate(Build build, ClassLoader loader) {
    this.build = build;
    this.loader = loader;
  }

  /**
   * Whether this JVM can load the jar's classes, and Spark runs on the Scala that they were
   * compiled for. Cheap.
   */
  Optional<Misfit> ofPlatform() {
    int java = javaVersion(System.getProperty("java.specification.version"));
    if (java < build.java()) {
      return misfit(
          "Java " + java + " runs here, and it needs Java " + build.java() + " or later",
          "Set JAVA_HOME to such a Java for the driver and every executor (on YARN by"
              + " spark.yarn.appMasterEnv.JAVA_HOME and spark.executorEnv.JAVA_HOME)");
    }
    String scala = binaryVersion(scalaVersion());
    if (!scala.equals(build.scala())) {
      return misfit(
          "Spark runs on Scala " + scala + " here, and it is for Scala " + build.scala(),
          "Take io.sparkata:" + Build.artifact(scala) + ":" + build.version() + " instead");
    }
    return Optional.empty();
  }

  /**
   * Whether Spark has every class and member that this jar calls. Its version alone does not show
   * that, because vendors patch Spark. Reads class files, in the driver only.
   *
   * @param spark its version
   */
  Optional<Misfit> ofSpark(String spark) {
    if (loader.getResource(MLLIB) == null) {
      return misfit(
          "the class path lacks MLlib, which it works for",
          "Add org.apache.spark:spark-mllib_" + build.scala() + ":" + spark + " to the class path");
    }
    List<String> missing = new LinkCheck(loader).missing();
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    int more = missing.size() - MISSING_SHOWN;
    return misfit(
        "Spark "
            + spark
            + " lacks what it calls: "
            + String.join(", ", missing.subList(0, Math.min(missing.size(), MISSING_SHOWN)))
            + (more > 0 ? " and " + more + " more" : ""),
        "Use a Spark that it is tested with (" + String.join(", ", build.testedSparks()) + ")");
  }

  /** The part of the start-up line for a version that no test covers; else empty. */
  String noteOn(String spark) {
    return build.testedSparks().contains(spark)
        ? ""
        : " (not tested with Spark "
            + spark
            + (LinkCheck.isPossible() ? "; self-test passed)" : ")");
  }

  private Optional<Misfit> misfit(String cause, String remedy) {
    return Optional.of(
        new Misfit(
            "this jar, " + build.artifact() + " " + build.version() + ", does not fit: " + cause,
            remedy));
  }

  /** 8 of 1.8, 17 of 17. */
  static int javaVersion(String specification) {
    String major = specification.startsWith("1.") ? specification.substring(2) : specification;
    return Integer.parseInt(major);
  }

  /** 2.13 of 2.13.8; 3 of 3.3.1. */
  static String binaryVersion(String scala) {
    String[] parts = scala.split("\\.", -1);
    return parts[0].equals("2") && parts.length > 1 ? parts[0] + "." + parts[1] : parts[0];
  }

  private String scalaVersion() {
    try {
      return (String)
          Class.forName("scala.util.Properties", /* initialize= */ true, loader)
              .getMethod("versionNumberString")
              .invoke(null);
    } catch (ReflectiveOperationException absent) {
      throw new IllegalStateException("Cannot ask Scala for its version", absent);
    }
  }
}
