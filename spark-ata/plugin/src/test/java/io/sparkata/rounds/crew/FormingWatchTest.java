package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.cluster.Executor;
import io.sparkata.rounds.crew.CrewTrouble.SilentMember;
import io.sparkata.spark.Mailbox.Letter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormingWatchTest {
  private static final long LOOK = Crew.LOOK_MILLIS * 1_000_000;

  private final Set<String> stopped = new HashSet<>();
  private final Set<String> seated = new HashSet<>();
  private final FakeHost host = new FakeHost();

  private final class FakeHost implements CrewHost {
    private long now = Long.MAX_VALUE - 1_000_000; // as System.nanoTime may be

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public Map<String, BooleanSupplier> askForSigns() {
      Map<String, BooleanSupplier> answers = new HashMap<>();
      for (String id : List.of("a", "b")) {
        boolean isStopped = stopped.contains(id); // an answer that is not given now never comes
        answers.put(id, () -> !isStopped);
      }
      return answers;
    }

    @Override
    public void await(Object lock) {
      throw new AssertionError();
    }

    @Override
    public Runnable open(String name, Consumer<Letter> receiver) {
      throw new AssertionError();
    }

    @Override
    public Job submit(String name, List<Executor> executors, Runnable atEnd) {
      throw new AssertionError();
    }

    @Override
    public Set<String> waiting() {
      throw new AssertionError();
    }

    @Override
    public byte[] toBytes(Object work) {
      throw new AssertionError();
    }

    @Override
    public Object result(byte[] bytes) {
      throw new AssertionError();
    }
  }

  /** Returns the seconds that were watched. */
  private double watch(FormingWatch watch, double seconds) throws SilentMember {
    long start = host.now;
    while (host.now - start < seconds * 1e9) {
      host.now += LOOK;
      watch.look(id -> !seated.contains(id));
    }
    return (host.now - start) / 1e9;
  }

  /** With the longest patience, too, it ends before the ten seconds in which a crew forms. */
  @ParameterizedTest
  @CsvSource({"30, 3, 4", "120, 9, 10", "1200, 9, 10", "1, 0.5, 1.1"})
  void look_stoppedExecutor_isSilent(int patience, double least, double most) {
    FormingWatch watch = new FormingWatch(host, patience);
    stopped.add("b");
    long start = host.now;

    assertThatThrownBy(() -> watch(watch, 20))
        .asInstanceOf(InstanceOfAssertFactories.type(SilentMember.class))
        .satisfies(
            silent -> {
              assertThat(silent.executorIds()).containsExactly("b");
              assertThat(silent.seconds()).isBetween(least, most);
            });
    assertThat((host.now - start) / 1e9).isBetween(least, most);
  }

  @Test
  void look_stoppedExecutorThatHasCome_isLeftToTheRound() throws SilentMember {
    stopped.add("b");
    seated.add("b");

    assertThat(watch(new FormingWatch(host, 30), 20)).isGreaterThan(19);
  }

  @Test
  void look_executorThatAnswers_mayTakeLongToCome() throws SilentMember {
    assertThat(watch(new FormingWatch(host, 30), 20)).isGreaterThan(19);
  }
}
