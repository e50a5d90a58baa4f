package io.sparkata.cuda;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.Configuration;

/** g++, for tests that compile the GPU's kernels for the host. */
public final class HostCompiler {
  /** Why such a test is skipped. */
  public static final String MISSING = "no g++ for C++20";

  private static final String PROBE = "#include <atomic>\nusing One = std::atomic_ref<double>;\n";

  /** The path from any module's folder. */
  private static final Path MODULE =
      Path.of("..", "..", "spark-ata", "cuda").toAbsolutePath().normalize();

  private static final Path SOURCES = MODULE.resolve(Path.of("src", "test", "cuda"));
  private static final Path KERNELS = MODULE.resolve(Path.of("src", "main", "cuda"));

  private HostCompiler() {}

  /** Whether there is a g++ that has C++20's atomic references. */
  public static boolean isThere() throws IOException, InterruptedException {
    try {
      Process probe =
          new ProcessBuilder("g++", "-std=c++20", "-x", "c++", "-fsyntax-only", "-")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (OutputStream source = probe.getOutputStream()) {
        source.write(PROBE.getBytes(StandardCharsets.US_ASCII));
      }
      return probe.waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /**
   * Compiles a program from src/test/cuda, unless an earlier build has since the sources changed.
   *
   * @param options further ones, for example of a shared library; the same for the same file
   * @return the compiled file, the same for all modules
   */
  public static synchronized Path compile(String source, String compiled, String... options)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(MODULE.resolve(Path.of("target", "cuda-host")));
    Path file = folder.resolve(compiled);
    if (isCurrent(file)) {
      return file;
    }
    Path fresh = folder.resolve(compiled + ".new");
    List<String> command = new ArrayList<>();
    command.addAll(List.of("g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror"));
    command.addAll(List.of("-Wno-unknown-pragmas", "-I", SOURCES.toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", fresh.toString(), SOURCES.resolve(source).toString()));
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException("g++ ended with " + status + " on " + source);
    }
    return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean isCurrent(Path file) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    FileTime compiled = Files.getLastModifiedTime(file);
    for (Path folder : List.of(SOURCES, KERNELS)) {
      try (DirectoryStream<Path> sources = Files.newDirectoryStream(folder)) {
        for (Path source : sources) {
          if (Files.getLastModifiedTime(source).compareTo(compiled) >= 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** The CUDA driver whose device is the host, a shared library. */
  public static Path compileDriver() throws IOException, InterruptedException {
    return compile("host_driver.cc", "libhost_driver.so", "-shared", "-fPIC");
  }

  /** Makes LWJGL load it as the driver in this JVM. */
  public static void useDriver() throws IOException, InterruptedException {
    Configuration.CUDA_LIBRARY_NAME.set(compileDriver().toString());
  }
}
