package io.sparkata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.CapturedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import org.apache.logging.log4j.Level;
import org.apache.spark.mllib.optimization.Gradient;
import org.apache.spark.mllib.optimization.HingeGradient;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.junit.jupiter.api.Test;

class GpuDevicesTest {
  private static final GpuSettings SETTINGS = new GpuSettings(/* isSingle= */ false, 0.5);

  private final List<String> events = new ArrayList<>();
  private final Map<String, Consumer<String>> open = new HashMap<>();

  @Test
  void open_backendTakesTheAddress_opensEachOnce() {
    GpuDevices gpus =
        GpuDevices.open(List.of("1", "0"), List.of(new Fake("a", "")), SETTINGS, this::failed);

    assertThat(events).containsExactly("a opens 1", "a opens 0");
    assertThat(gpus.causes()).containsExactly(Map.entry("0", ""), Map.entry("1", ""));
    assertThat(gpus.names()).isEqualTo("model a at GPU address 0, model a at GPU address 1");
    assertThat(gpus.isEmpty()).isFalse();
  }

  @Test
  void open_firstBackendRefuses_asksTheNext() {
    GpuDevices gpus =
        GpuDevices.open(
            List.of("0", "1"),
            List.of(new Fake("a", "0 1"), new Fake("b", "1")),
            SETTINGS,
            this::failed);

    assertThat(gpus.causes()).containsEntry("0", "").containsEntry("1", "a: no 1; b: no 1");
    assertThat(gpus.names()).isEqualTo("model b at GPU address 0");
  }

  @Test
  void open_standIn_isNeverOpened() {
    GpuDevices gpus =
        GpuDevices.open(List.of("none-0"), List.of(new Fake("a", "")), SETTINGS, this::failed);

    assertThat(events).isEmpty();
    assertThat(gpus.causes())
        .containsExactly(Map.entry("none-0", "a stand-in address: this machine has no GPU"));
    assertThat(gpus.isEmpty()).isTrue();
  }

  @Test
  void open_noBackend_saysWhatToAdd() {
    assertThat(GpuDevices.open(List.of("0"), List.of(), SETTINGS, this::failed).causes())
        .containsExactly(
            Map.entry(
                "0",
                "no GPU kernels on the class path: add spark-ata-cuda_<Scala>-<version>.jar to --jars"));
  }

  @Test
  void open_backendDoesNotLoad_isTheCause() {
    Iterable<GpuBackend> broken =
        () -> {
          throw new ServiceConfigurationError("no such class");
        };

    assertThat(GpuDevices.open(List.of("0"), broken, SETTINGS, this::failed).causes())
        .containsExactly(Map.entry("0", "no such class"));
  }

  @Test
  void open_nativeLibraryMissing_isTheCause() {
    GpuBackend backend =
        new Fake("a", "") {
          @Override
          public GpuDevice open(String address, GpuSettings settings, Consumer<String> onFailure) {
            throw new UnsatisfiedLinkError("no libcuda\nat length");
          }
        };

    assertThat(GpuDevices.open(List.of("0"), List.of(backend), SETTINGS, this::failed).causes())
        .containsExactly(Map.entry("0", "a: no libcuda"));
  }

  @Test
  void unusable_always_opensNothing() {
    GpuDevices gpus = GpuDevices.unusable(List.of("0", "1"), "not today");

    assertThat(gpus.causes())
        .containsExactly(Map.entry("0", "not today"), Map.entry("1", "not today"));
    assertThat(gpus.isEmpty()).isTrue();
  }

  @Test
  void kernel_addressOfTheTask_isThatDevices() {
    GpuDevices gpus =
        GpuDevices.open(
            List.of("0", "1", "2"), List.of(new Fake("a", "0")), SETTINGS, this::failed);
    events.clear();

    assertThat(gpus.kernel(new String[] {"2"}, new LogisticGradient())).isPresent();
    assertThat(gpus.kernel(new String[] {"0", "1"}, new LogisticGradient())).isPresent();
    assertThat(events).containsExactly("kernel of 2", "kernel of 1");
    assertThat(gpus.kernel(new String[] {"0"}, new LogisticGradient())).isEmpty();
    assertThat(gpus.kernel(new String[0], new LogisticGradient())).isEmpty();
  }

  @Test
  void kernel_gradientUnknownToTheDevice_isNone() {
    GpuDevices gpus =
        GpuDevices.open(List.of("0"), List.of(new Fake("a", "")), SETTINGS, this::failed);

    assertThat(gpus.kernel(new String[] {"0"}, new HingeGradient())).isEmpty();
  }

  @Test
  void fail_openDevice_isItsCauseAndItGivesNoMoreKernels() {
    GpuDevices gpus =
        GpuDevices.open(List.of("0", "1"), List.of(new Fake("a", "")), SETTINGS, this::failed);
    events.clear();

    open.get("0").accept("fell off the bus");

    assertThat(events).containsExactly("failed");
    assertThat(gpus.causes())
        .containsExactly(
            Map.entry("0", "a: failed in mid-run: fell off the bus"), Map.entry("1", ""));
    assertThat(gpus.names()).isEqualTo("model a at GPU address 1");
    assertThat(gpus.kernel(new String[] {"0"}, new LogisticGradient())).isEmpty();
    assertThat(gpus.kernel(new String[] {"0", "1"}, new LogisticGradient())).isPresent();
    events.clear();
    gpus.close();
    assertThat(events).containsExactlyInAnyOrder("close 0", "close 1");
  }

  @Test
  void close_oneDeviceFails_closesTheOthersOnceAndGivesNoMoreKernels() {
    try (CapturedLog log = CapturedLog.of("io.sparkata.kernel")) {
      GpuDevices gpus =
          GpuDevices.open(
              List.of("0", "1", "bad"), List.of(new Fake("a", "")), SETTINGS, this::failed);
      events.clear();

      gpus.close();
      gpus.close();

      assertThat(events).containsExactlyInAnyOrder("close 0", "close 1", "close bad");
      assertThat(gpus.kernel(new String[] {"0"}, new LogisticGradient())).isEmpty();
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              "Spark ATA: cannot close GPU address bad (java.lang.IllegalStateException: stuck)");
    }
  }

  private void failed() {
    events.add("failed");
  }

  private class Fake implements GpuBackend {
    private final String name;
    private final String refused;

    Fake(String name, String refused) {
      this.name = name;
      this.refused = refused;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public GpuDevice open(String address, GpuSettings settings, Consumer<String> onFailure) {
      if (refused.contains(address)) {
        throw new IllegalStateException("no " + address);
      }
      events.add(name + " opens " + address);
      open.put(address, onFailure);
      return new GpuDevice() {
        @Override
        public String name() {
          return "model " + name;
        }

        @Override
        public Optional<GradientKernel> kernel(Gradient gradient) {
          events.add("kernel of " + address);
          return gradient instanceof LogisticGradient
              ? Optional.of(Kernels.of(gradient))
              : Optional.empty();
        }

        @Override
        public void close() {
          events.add("close " + address);
          if (address.equals("bad")) {
            throw new IllegalStateException("stuck");
          }
        }
      };
    }
  }
}
