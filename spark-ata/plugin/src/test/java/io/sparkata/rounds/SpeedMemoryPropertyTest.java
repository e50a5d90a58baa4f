package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.memory.Speeds;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SpeedMemoryPropertyTest {
  private static final String KERNEL = "hinge sparse";

  /** A training whose tasks take just what was believed of them changes no memory. */
  @Property(tries = 500)
  void remember_timesAsBelieved_isTheIdentity(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double nanosPerByte = Math.pow(10, random.nextDouble(-6, 6));
    double bytesPerRow = Math.pow(10, random.nextDouble(0, 7));
    int slots = random.nextInt(1, 65);
    int rows = random.nextInt(1, 1_000_000);
    Executor executor = new Executor("1", "a", slots, 0, Device.CPU);
    Speeds speeds = new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());
    speeds.remember("1", "a", KERNEL, nanosPerByte);
    SpeedMemory memory = new SpeedMemory(speeds, KERNEL, bytesPerRow);

    double nanosPerRow =
        memory.priors(List.of(executor), /* rowsPerUnit= */ 1).get("1").mean() * slots;
    memory.observe(executor, rows, rows * nanosPerRow);
    memory.remember();

    assertThat(speeds.nanosPerByte("1", "a", KERNEL).getAsDouble())
        .isCloseTo(nanosPerByte, within(1e-12 * nanosPerByte));
  }
}
