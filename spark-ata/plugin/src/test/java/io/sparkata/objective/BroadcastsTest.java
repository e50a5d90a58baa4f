package io.sparkata.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.gate.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkException;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag$;

class BroadcastsTest {
  private final List<Long> read = new ArrayList<>();

  /** What an aggregator of spark.ml looks like, with one that a fit does not use. */
  private record Aggregator(Broadcast<String> coefficients, Broadcast<String> unused, int other) {}

  @Test
  void fetch_aggregator_readsEachBroadcast() {
    Broadcasts.fetch(new Aggregator(broadcast(7), null, 1));

    assertThat(read).containsExactly(7L);
  }

  @Test
  void fetch_function_readsWhatItCaptured() {
    Broadcast<String> weights = broadcast(8);
    Supplier<String> function = () -> weights.value();
    Broadcasts.fetch(function);

    assertThat(read).containsExactly(8L);
  }

  @Test
  void fetch_destroyed_leavesItToTheElements() {
    Broadcast<String> destroyed = broadcast(5);
    destroyed.destroy();

    assertThatThrownBy(destroyed::value).isInstanceOf(SparkException.class);
    assertThatNoException()
        .isThrownBy(() -> Broadcasts.fetch(new Aggregator(destroyed, broadcast(6), 1)));
    assertThat(read).containsExactly(6L);
  }

  @Test
  void fetch_interrupted_throwsToEndTheTask() {
    Broadcast<String> interrupted =
        broadcast(9, () -> Trouble.unchecked(new InterruptedException()));

    assertThatThrownBy(() -> Broadcasts.fetch(new Aggregator(interrupted, null, 1)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void fetch_nothing_readsNothing() {
    Broadcasts.fetch(new double[3]);
    Broadcasts.fetch("text");

    assertThat(read).isEmpty();
  }

  private Broadcast<String> broadcast(long id) {
    return broadcast(id, () -> {});
  }

  private Broadcast<String> broadcast(long id, Runnable fetching) {
    return new Broadcast<>(id, ClassTag$.MODULE$.apply(String.class)) {
      private static final long serialVersionUID = 1L;

      @Override
      public String getValue() {
        fetching.run();
        read.add(id);
        return "value";
      }

      @Override
      public void doUnpersist(boolean isBlocking) {}

      @Override
      public void doDestroy(boolean isBlocking) {}
    };
  }
}
