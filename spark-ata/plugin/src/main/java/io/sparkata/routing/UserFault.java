package io.sparkata.routing;

import java.util.Arrays;
import java.util.List;

/**
 * Separates faults of a user's own code or data, which stock Spark meets too, from those that may
 * be ours. It looks at what threw the root cause of a failed job, on an executor.
 */
final class UserFault {
  private static final List<String> OURS = List.of("io.sparkata.");

  /** Of the JDK and of Scala's library, which do what their caller asks for. */
  private static final List<String> LIBRARIES =
      List.of("java.", "javax.", "jdk.", "sun.", "scala.");

  /** What a sum of gradients calls for each row. */
  private static final List<String> SUMS =
      List.of("org.apache.spark.mllib.optimization.", "org.apache.spark.ml.optim.");

  /** What makes rows, called by an iterator over them. */
  private static final List<String> ROWS =
      List.of("org.apache.spark.mllib.", "org.apache.spark.ml.", "org.apache.spark.sql.");

  private static final String ITERATOR = "scala.collection.Iterator";

  /** What stores and sends rows, differently from stock Spark. */
  private static final List<String> CARRIERS =
      List.of(
          "org.apache.spark.serializer.",
          "com.esotericsoftware.",
          "com.twitter.chill.",
          "org.apache.hadoop.",
          "io.netty.");

  private static final String SPARKS = "org.apache.spark.";

  private UserFault() {}

  /**
   * Whether Spark's own path would throw the same: the user's code did, be it a gradient or what
   * makes the rows, MLlib's or SQL's code that makes them, or MLlib's for one row. An Error may
   * have other causes, and what our own code throws says nothing about Spark's.
   *
   * @param error of a job
   */
  static boolean isCauseOf(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (root == error || root instanceof Error) {
      return false;
    }
    List<String> all =
        Arrays.stream(root.getStackTrace())
            .map(StackTraceElement::getClassName)
            .takeWhile(name -> !isOf(OURS, name))
            .toList();
    List<String> thrown = all.stream().filter(name -> !isOf(LIBRARIES, name)).toList();
    if (thrown.isEmpty() || thrown.stream().anyMatch(name -> isOf(CARRIERS, name))) {
      return false;
    }
    return !thrown.get(0).startsWith(SPARKS)
        || isOf(SUMS, thrown.get(thrown.size() - 1))
        || (isOf(ROWS, thrown.get(0)) && all.stream().anyMatch(name -> name.startsWith(ITERATOR)));
  }

  private static boolean isOf(List<String> packages, String name) {
    return packages.stream().anyMatch(name::startsWith);
  }
}
