package io.sparkata.testing;

import io.sparkata.blocks.PackedBlock;
import io.sparkata.kernel.GpuBackend;
import io.sparkata.kernel.GpuDevice;
import io.sparkata.kernel.GpuSettings;
import io.sparkata.kernel.GradientKernel;
import io.sparkata.kernel.Kernels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToDoubleBiFunction;
import org.apache.spark.TaskContext;
import org.apache.spark.mllib.optimization.Gradient;

/**
 * GPUs that compute by the CPU's kernels and write down what was asked of them. Found on the class
 * path of every test and its executors; controlled by system properties.
 */
public final class TestGpus implements GpuBackend {
  /** Folder of a file per executor; unset: nothing is written. */
  public static final String FOLDER = "ata.testGpu.folder";

  /** Addresses that cannot be used, with commas between them. */
  public static final String REFUSED = "ata.testGpu.refused";

  /** How many computations of a device come before it fails; unset: it never does. */
  public static final String LASTS = "ata.testGpu.lasts";

  private static final Map<String, Consumer<String>> OPEN = new ConcurrentHashMap<>();
  private static final AtomicInteger COMPUTATIONS = new AtomicInteger();

  @Override
  public String name() {
    return "test GPUs";
  }

  /** Lets the device at an address of this JVM, open since, fail. */
  public static void fail(String address, String cause) {
    OPEN.get(address).accept(cause);
  }

  @Override
  public GpuDevice open(String address, GpuSettings settings, Consumer<String> onFailure) {
    write("open " + address);
    OPEN.put(address, onFailure);
    if (List.of(System.getProperty(REFUSED, "").split(",")).contains(address)) {
      throw new IllegalStateException("refused on purpose\nat length");
    }
    return new Device(address);
  }

  private static synchronized void write(String line) {
    String folder = System.getProperty(FOLDER);
    if (folder == null) {
      return;
    }
    try {
      Path file = Path.of(folder, ProcessHandle.current().pid() + ".txt");
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private record Device(String address) implements GpuDevice {
    @Override
    public String name() {
      return "test GPU";
    }

    @Override
    public Optional<GradientKernel> kernel(Gradient gradient) {
      if (gradient instanceof UserGradient) {
        return Optional.empty();
      }
      GradientKernel cpu = Kernels.of(gradient);
      String assigned = String.join(",", TaskContext.get().resourcesJMap().get("gpu").addresses());
      return Optional.of(
          new GradientKernel() {
            private final List<ToDoubleBiFunction<double[], double[]>> waiting = new ArrayList<>();

            @Override
            public double add(
                PackedBlock block,
                int[] rows,
                int first,
                int count,
                double[] weights,
                double[] sum) {
              write("compute on " + address + " for a task with " + assigned);
              if (COMPUTATIONS.getAndIncrement() == Integer.getInteger(LASTS, -1)) {
                fail(address, "failed on purpose");
              }
              int[] own = rows == null ? null : rows.clone();
              waiting.add((model, total) -> cpu.add(block, own, first, count, model, total));
              return 0;
            }

            @Override
            public double finish(double[] weights, double[] sum) {
              double loss = 0;
              for (ToDoubleBiFunction<double[], double[]> each : waiting) {
                loss += each.applyAsDouble(weights, sum);
              }
              waiting.clear();
              return loss;
            }
          });
    }

    @Override
    public void close() {
      write("close " + address);
    }
  }
}
