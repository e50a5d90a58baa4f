package io.sparkata.spark;

import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.collection.JavaConverters;
import scala.collection.Seq;
import scala.reflect.ClassTag$;

/**
 * An RDD without parents, written in Java. One source per Scala line, because {@code Seq} in
 * Spark's signatures means another type in each.
 *
 * @param <T> what a partition yields
 */
public abstract class RootRdd<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;

  protected RootRdd(SparkContext context, Class<T> type) {
    super(context, noDependencies(), ClassTag$.MODULE$.<T>apply(type));
  }

  /** Where Spark should run {@code partition}, best first, in the form of its TaskLocation. */
  protected abstract List<String> preferredLocationsOf(Partition partition);

  @Override
  public final Seq<String> getPreferredLocations(Partition partition) {
    return JavaConverters.asScalaBufferConverter(preferredLocationsOf(partition)).asScala();
  }

  private static Seq<Dependency<?>> noDependencies() {
    return JavaConverters.asScalaBufferConverter(List.<Dependency<?>>of()).asScala();
  }
}
