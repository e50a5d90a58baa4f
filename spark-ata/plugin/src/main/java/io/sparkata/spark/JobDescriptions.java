package io.sparkata.spark;

import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.util.CallSite;
import org.apache.spark.util.Utils;

/**
 * Describes the jobs of one training in Spark's UI, by local properties of the caller's thread,
 * which get back what the caller had set. Driver only.
 *
 * @param context null to describe nothing
 * @param training by its number
 * @param site what was called where, which names its stages unless the caller has named them
 */
public record JobDescriptions(SparkContext context, String training, String site) {
  private static final String DESCRIPTION = "spark.job.description";
  private static final String SHORT_SITE = "callSite.short";
  private static final String LONG_SITE = "callSite.long";

  /** Classes of ours, of Scala and of Spark's core. */
  private static final Pattern NO_CALLER =
      Pattern.compile("^(io\\.sparkata\\.|scala\\.|org\\.apache\\.spark\\.(rdd\\.|util\\.)?[A-Z])");

  /** Of the jobs of training {@code number}. */
  public JobDescriptions(SparkContext context, long number, String site) {
    this(context, "Spark ATA training " + number, site);
  }

  /**
   * Runs a job of Spark's own that Spark names after its caller: not after us, who are between the
   * two. A name that the caller has set stays.
   */
  public static <T> T asOfTheCaller(SparkContext context, Supplier<T> job) {
    if (context.getLocalProperty(SHORT_SITE) != null) {
      return job.get();
    }
    CallSite site = Utils.getCallSite(type -> NO_CALLER.matcher(type).find());
    String longSite = context.getLocalProperty(LONG_SITE);
    context.setLocalProperty(SHORT_SITE, site.shortForm());
    context.setLocalProperty(LONG_SITE, longSite == null ? site.longForm() : longSite);
    try {
      return job.get();
    } finally {
      context.setLocalProperty(SHORT_SITE, null);
      context.setLocalProperty(LONG_SITE, longSite);
    }
  }

  /** Describes nothing. */
  public static JobDescriptions none() {
    return new JobDescriptions(null, 0, "");
  }

  /**
   * Runs jobs of this thread.
   *
   * @param part of the training, such as {@code ": packing"}; behind the caller's description if
   *     there is one
   */
  public <T> T during(String part, Supplier<T> jobs) {
    if (context == null) {
      return jobs.get();
    }
    String description = context.getLocalProperty(DESCRIPTION);
    String shortSite = context.getLocalProperty(SHORT_SITE);
    String longSite = context.getLocalProperty(LONG_SITE);
    try {
      context.setLocalProperty(
          DESCRIPTION, (description == null ? "" : description + ": ") + training + part);
      if (shortSite == null && longSite == null) {
        context.setLocalProperty(SHORT_SITE, site);
        context.setLocalProperty(LONG_SITE, site);
      }
      return jobs.get();
    } finally {
      context.setLocalProperty(DESCRIPTION, description);
      context.setLocalProperty(SHORT_SITE, shortSite);
      context.setLocalProperty(LONG_SITE, longSite);
    }
  }
}
