package io.sparkata.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkata.allocation.Prior;
import io.sparkata.cluster.Device;
import io.sparkata.cluster.Executor;
import io.sparkata.memory.Speeds;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpeedMemoryTest {
  private static final String KERNEL = "logistic dense";
  private static final Executor TWO_SLOTS = new Executor("1", "a", 2, 0, Device.CPU);
  private static final Executor FOUR_SLOTS = new Executor("2", "a", 4, 0, Device.CPU);
  private static final Executor ELSEWHERE = new Executor("3", "b", 1, 0, Device.CPU);

  private final Speeds speeds =
      new Speeds(Optional.empty(), /* failsOnError= */ true, Clock.systemUTC());

  @Test
  void priors_speedsKnown_areNanosPerRowOverSlots() {
    speeds.remember("1", "a", KERNEL, 0.5);

    assertThat(
            memory(/* bytesPerRow= */ 80)
                .priors(List.of(TWO_SLOTS, FOUR_SLOTS, ELSEWHERE), /* rowsPerUnit= */ 1))
        .containsOnlyKeys("1", "2")
        .containsEntry("1", new Prior(0.5 * 80 / 2, 64))
        .containsEntry("2", new Prior(0.5 * 80 / 4, 64)); // by its host
  }

  @Test
  void priors_largerUnits_areNanosPerUnit() {
    speeds.remember("1", "a", KERNEL, 0.5);

    assertThat(memory(/* bytesPerRow= */ 80).priors(List.of(TWO_SLOTS), /* rowsPerUnit= */ 10))
        .containsEntry("1", new Prior(10 * 0.5 * 80 / 2, 64));
  }

  @Test
  void priors_otherKernelsSpeeds_areNotUsed() {
    speeds.remember("1", "a", "logistic sparse", 0.5);

    assertThat(memory(80).priors(List.of(TWO_SLOTS), /* rowsPerUnit= */ 1)).isEmpty();
  }

  /** The same executor and gradient on a GPU and on the CPU are two kernels. */
  @Test
  void priorsAndRemember_gpuExecutor_haveFiguresOfTheirOwn() {
    Executor gpu = new Executor("4", "a", 1, 0, Device.GPU);
    SpeedMemory memory = memory(/* bytesPerRow= */ 1);
    memory.observe(gpu, 10, 10);
    memory.observe(TWO_SLOTS, 10, 1000);
    memory.remember();

    assertThat(speeds.nanosPerByte("4", "a", "gpu " + KERNEL)).hasValue(1);
    assertThat(speeds.nanosPerByte("1", "a", KERNEL)).hasValue(100);
    assertThat(memory.priors(List.of(gpu, FOUR_SLOTS), /* rowsPerUnit= */ 1))
        .containsEntry("4", new Prior(1, 64))
        .containsEntry("2", new Prior(100.0 / 4, 64)); // by its host's CPUs alone
  }

  /** Its times from then on are the CPU's, and nothing of them is remembered as the GPU's. */
  @Test
  void observe_gpuFailsInMidRun_startsAnewAsTheCpu() {
    SpeedMemory memory = memory(/* bytesPerRow= */ 1);
    memory.observe(new Executor("4", "a", 1, 0, Device.GPU), 10, 10);
    memory.observe(new Executor("4", "a", 1, 0, Device.CPU), 10, 1000);
    memory.remember();

    assertThat(speeds.nanosPerByte("4", "a", KERNEL)).hasValue(100);
    assertThat(speeds.nanosPerByte("4", "a", "gpu " + KERNEL)).isEmpty();
  }

  @Test
  void priorsAndRemember_executorThatHasNotStated_areNone() {
    Executor unknown = new Executor("4", "a", 1, 0, Device.UNKNOWN);
    speeds.remember("1", "a", KERNEL, 0.5);
    SpeedMemory memory = memory(/* bytesPerRow= */ 1);
    memory.observe(unknown, 10, 10);
    memory.remember();

    assertThat(memory.priors(List.of(unknown), /* rowsPerUnit= */ 1)).isEmpty();
    assertThat(speeds.nanosPerByte("4", "a", KERNEL)).hasValue(0.5); // its host's
  }

  @Test
  void priors_rowsWithoutBytes_areNone() {
    speeds.remember("1", "a", KERNEL, 0.5);

    assertThat(memory(/* bytesPerRow= */ 0).priors(List.of(TWO_SLOTS), /* rowsPerUnit= */ 1))
        .isEmpty();
  }

  @Test
  void remember_tasksMeasured_isNanosPerByteOfOneSlot() {
    SpeedMemory memory = memory(/* bytesPerRow= */ 80);
    memory.observe(TWO_SLOTS, /* rows= */ 100, /* nanos= */ 100 * 80 * 0.25);
    memory.observe(TWO_SLOTS, 300, 300 * 80 * 0.25);
    memory.remember();

    assertThat(speeds.nanosPerByte("1", "a", KERNEL).getAsDouble()).isCloseTo(0.25, within(1e-12));
    assertThat(speeds.nanosPerByte("3", "b", KERNEL)).isEmpty();
  }

  @Test
  void remember_slowStart_weighsLess() {
    SpeedMemory memory = memory(/* bytesPerRow= */ 1);
    memory.observe(TWO_SLOTS, 10, 1000);
    for (int task = 0; task < 50; task++) {
      memory.observe(TWO_SLOTS, 10, 10);
    }
    memory.remember();

    assertThat(speeds.nanosPerByte("1", "a", KERNEL).getAsDouble()).isBetween(1.0, 1.1);
  }

  private SpeedMemory memory(double bytesPerRow) {
    return new SpeedMemory(speeds, KERNEL, bytesPerRow);
  }
}
