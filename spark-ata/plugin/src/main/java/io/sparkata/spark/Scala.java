package io.sparkata.spark;

import java.util.Iterator;

/** Scala's collections in Java's loops. Scala's own converters differ between its lines. */
public final class Scala {
  private Scala() {}

  /** The elements of a collection. */
  public static <T> Iterable<T> each(scala.collection.Iterable<? extends T> collection) {
    return () -> iterator(collection.iterator());
  }

  /** The same elements. */
  static <T> Iterator<T> iterator(scala.collection.Iterator<? extends T> scalas) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return scalas.hasNext();
      }

      @Override
      public T next() {
        return scalas.next();
      }
    };
  }
}
