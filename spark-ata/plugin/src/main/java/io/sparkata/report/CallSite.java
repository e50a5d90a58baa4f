package io.sparkata.report;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;

/** Finds the method that started a training and the user's line that called it. */
public final class CallSite {
  private static final List<String> OWN =
      List.of(
          "io.sparkata.report.",
          "io.sparkata.training.",
          "io.sparkata.objective.",
          "io.sparkata.routing.",
          "io.sparkata.cluster.");
  private static final String OWN_CALLER = "io.sparkata.AtaGradientDescent";
  private static final List<String> LIBRARIES =
      List.of(
          "org.apache.spark.",
          "scala.",
          "breeze.",
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "py4j.",
          OWN_CALLER);
  private static final List<String> CALLERS =
      List.of("org.apache.spark.mllib.", "org.apache.spark.ml.", OWN_CALLER);

  /** These call every algorithm, so their names do not say which. */
  private static final List<String> GENERAL =
      List.of(
          "org.apache.spark.ml.Predictor",
          "org.apache.spark.ml.Estimator",
          "org.apache.spark.ml.MLEvents",
          "org.apache.spark.ml.Pipeline",
          "org.apache.spark.ml.tuning.",
          "org.apache.spark.ml.util.");

  /** Spark Connect has set it where one of its sessions calls. */
  private static final String SITE_OF_JOBS = "callSite.short";

  private static final Pattern CONNECT = Pattern.compile("session_id: \"(\\w+)");

  private static final String EXAMPLES = "org.apache.spark.examples.";
  private static final String DEFAULT_CALLER = "GradientDescent.runMiniBatchSGD";

  private CallSite() {}

  /** Of the training that this thread starts, such as {@code SVMWithSGD.train at App.java:31}. */
  static String ofThisThread() {
    return ofThisThread(DEFAULT_CALLER);
  }

  /** The same where no frame may say what was called. */
  public static String ofThisThread(String otherwise) {
    return StackWalker.getInstance()
        .walk(
            frames ->
                of(
                    frames.map(StackWalker.StackFrame::toStackTraceElement).limit(500).toList(),
                    otherwise));
  }

  /**
   * The last frame of MLlib's before the user's code, and the user's first. Without the latter, as
   * on the threads of a stream or of Python, only the former.
   *
   * @param frames the innermost first
   * @param otherwise the result if there is neither
   */
  public static String of(List<StackTraceElement> frames, String otherwise) {
    String caller = otherwise;
    boolean isOutside = false;
    for (StackTraceElement frame : frames) {
      String type = frame.getClassName();
      if (!isOutside && (startsWithAny(type, OWN) || type.startsWith("java."))) {
        continue;
      }
      isOutside = true;
      if (!startsWithAny(type, LIBRARIES) || type.startsWith(EXAMPLES)) {
        return caller + " at " + place(frame);
      }
      if (startsWithAny(type, CALLERS) && !startsWithAny(type, GENERAL)) {
        caller = method(frame);
      }
    }
    return caller;
  }

  /** The first part of the id of the session that calls; empty outside Spark Connect. */
  static String ofConnect(SparkContext context) {
    String site = context.getLocalProperty(SITE_OF_JOBS);
    Matcher session = CONNECT.matcher(site == null ? "" : site);
    return session.find() ? " in Spark Connect session " + session.group(1) : "";
  }

  private static boolean startsWithAny(String type, List<String> prefixes) {
    return prefixes.stream().anyMatch(type::startsWith);
  }

  private static String place(StackTraceElement frame) {
    String file = frame.getFileName() == null ? simple(frame) : frame.getFileName();
    return frame.getLineNumber() < 0 ? file : file + ":" + frame.getLineNumber();
  }

  /** Scala's {@code $anonfun$trainOn$1} is {@code trainOn}. */
  private static String method(StackTraceElement frame) {
    String name = frame.getMethodName().replaceFirst("^\\$anonfun\\$", "");
    if (name.equals("<init>")) {
      return "new " + simple(frame);
    }
    int end = name.indexOf('$');
    return simple(frame) + "." + (end > 0 ? name.substring(0, end) : name);
  }

  private static String simple(StackTraceElement frame) {
    String type = frame.getClassName();
    String name = type.substring(type.lastIndexOf('.') + 1);
    int end = name.indexOf('$');
    return end > 0 ? name.substring(0, end) : name;
  }
}
