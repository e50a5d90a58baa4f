package io.sparkata.rounds.crew;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** {@code CrewSimulationTest} has its rounds. */
class ResidentRunnerTest {
  private static final long NOW = TimeUnit.HOURS.toNanos(1);
  private static final int MANY_LEFT = 100;

  private final AtomicLong noCrewsUntil = new AtomicLong(NOW);
  private final ResidentRunner runner =
      new ResidentRunner(host(), /* jobs= */ null, new JobCosts(/* areAlwaysHigh= */ false));

  private RoundHost host() {
    return (RoundHost)
        Proxy.newProxyInstance(
            RoundHost.class.getClassLoader(),
            new Class<?>[] {RoundHost.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "nanoTime" -> NOW;
                  case "noCrewsUntil" -> noCrewsUntil;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Its first task would make a round wait for seconds. */
  @Test
  void tries_crewsComeSoon_keepsAnUnknownExecutorOutOfJobs() {
    noCrewsUntil.set(NOW + TimeUnit.SECONDS.toNanos(3));
    assertThat(runner.tries("1", MANY_LEFT)).isTrue();

    noCrewsUntil.set(NOW + TimeUnit.SECONDS.toNanos(4));
    assertThat(runner.tries("1", MANY_LEFT)).as("a longer pause").isFalse();
  }

  @Test
  void tries_fewRoundsAreLeft_isFalse() {
    assertThat(runner.tries("1", /* left= */ 5)).isTrue();
    assertThat(runner.tries("1", /* left= */ 4)).isFalse();
  }
}
