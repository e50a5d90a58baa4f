package io.sparkata.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.spark.status.ExecutorSummaryWrapper;
import org.apache.spark.util.kvstore.KVStore;

/** Spark's store of what its UI shows, without checked exceptions. Thread-safe. */
public final class UiStore {
  private final KVStore store;

  public UiStore(KVStore store) {
    this.store = store;
  }

  /** Adds or replaces an object, whose class has a natural index. */
  public void write(Object value) {
    quietly(
        () -> {
          store.write(value);
          return value;
        });
  }

  /** The object with this key. */
  public <T> Optional<T> read(Class<T> type, Object key) {
    return quietly(
        () -> {
          try {
            return Optional.of(store.read(type, key));
          } catch (NoSuchElementException absent) {
            return Optional.<T>empty();
          }
        });
  }

  /** All objects of a class, in the order of their keys. */
  public <T> List<T> all(Class<T> type) {
    return quietly(() -> list(store.view(type)));
  }

  /** Those whose value of {@code index} is {@code value}. */
  public <T> List<T> all(Class<T> type, String index, Object value) {
    return quietly(() -> list(store.view(type).index(index).first(value).last(value)));
  }

  private static <T> List<T> list(Iterable<T> values) {
    List<T> list = new ArrayList<>();
    values.forEach(list::add);
    return list;
  }

  /**
   * An executor on Spark's own pages.
   *
   * @param removed when it was removed, in milliseconds since 1970; 0 if it is there
   * @param reason why it was; empty if Spark does not say
   */
  public record ShownExecutor(String id, String host, long removed, String reason) {}

  /** Empty if Spark's pages no longer show it. */
  public Optional<ShownExecutor> executor(String id) {
    return read(ExecutorSummaryWrapper.class, id).map(UiStore::shown);
  }

  /** All that Spark's pages show. */
  public List<ShownExecutor> executors() {
    return all(ExecutorSummaryWrapper.class).stream().map(UiStore::shown).toList();
  }

  @SuppressWarnings("JavaUtilDate") // Spark's
  private static ShownExecutor shown(ExecutorSummaryWrapper one) {
    return new ShownExecutor(
        one.info().id(),
        one.host(),
        one.info().removeTime().isEmpty() ? 0 : one.info().removeTime().get().getTime(),
        one.info().removeReason().getOrElse(() -> ""));
  }

  /** Removes the object with this key. */
  public void remove(Class<?> type, Object key) {
    quietly(
        () -> {
          store.delete(type, key);
          return key;
        });
  }

  /** Removes those whose value of {@code index} is {@code value}. */
  public void remove(Class<?> type, String index, Object value) {
    quietly(() -> store.removeAllByIndexValues(type, index, List.of(value)));
  }

  private interface Access<T> {
    @SuppressWarnings("PMD.SignatureDeclareThrowsException") // as Spark's
    T run() throws Exception;
  }

  private static <T> T quietly(Access<T> access) {
    try {
      return access.run();
    } catch (RuntimeException error) {
      throw error;
    } catch (Exception error) {
      throw new IllegalStateException("Cannot use the store of Spark's UI", error);
    }
  }
}
