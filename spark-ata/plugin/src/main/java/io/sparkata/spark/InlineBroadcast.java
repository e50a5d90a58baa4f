package io.sparkata.spark;

import org.apache.spark.broadcast.Broadcast;
import scala.reflect.ClassTag;

/** A broadcast's value, serialised with what refers to it. */
final class InlineBroadcast<T> extends Broadcast<T> {
  private static final long serialVersionUID = 1L;

  private final T value;

  @SuppressWarnings("unchecked") // Spark's class does not use the tag
  InlineBroadcast(Broadcast<T> broadcast) {
    super(broadcast.id(), (ClassTag<T>) ExecutorInternals.anyTag());
    this.value = broadcast.value();
  }

  @Override
  public T getValue() {
    return value;
  }

  @Override
  public void doUnpersist(boolean blocking) {}

  @Override
  public void doDestroy(boolean blocking) {}
}
