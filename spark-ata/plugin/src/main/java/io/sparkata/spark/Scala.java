package io.sparkata.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Scala's collections in Java's loops. Scala's own converters differ between its lines. */
public final class Scala {
  private Scala() {}

  /** The elements of a collection. */
  public static <T> Iterable<T> each(scala.collection.Iterable<? extends T> collection) {
    return () -> iterator(collection.iterator());
  }

  /** The same elements. */
  public static <T> Stream<T> stream(scala.collection.Iterable<? extends T> collection) {
    List<T> elements = new ArrayList<>();
    each(collection).forEach(elements::add);
    return elements.stream();
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
