package io.sparkata.cuda;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.Configuration;

/** g++, for tests that compile the GPU's kernels for the host. */
public final class HostCompiler {
  /** Why such a test is skipped. */
  public static final String MISSING = "no g++ for C++20";

  /** The path from any module's folder. */
  private static final Path SOURCES =
      Path.of("..", "..", "spark-ata", "cuda", "src", "test", "cuda").toAbsolutePath().normalize();

  private static Path driver;

  private HostCompiler() {}

  /** Whether there is a g++ that has the barriers of C++20. */
  public static boolean isThere() throws IOException, InterruptedException {
    try {
      Process probe =
          new ProcessBuilder("g++", "-std=c++20", "-x", "c++", "-fsyntax-only", "-")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (OutputStream source = probe.getOutputStream()) {
        source.write("#include <barrier>\n".getBytes(StandardCharsets.US_ASCII));
      }
      return probe.waitFor() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /**
   * Compiles a program from src/test/cuda; with further options, for example a shared library.
   *
   * @return the compiled file
   */
  public static Path compile(String source, String compiled, String... options)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "cuda-host").toAbsolutePath());
    Path file = folder.resolve(compiled);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror"));
    command.addAll(List.of("-Wno-unknown-pragmas", "-pthread", "-I", SOURCES.toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", file.toString(), SOURCES.resolve(source).toString()));
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IOException("g++ ended with " + status + " on " + source);
    }
    return file;
  }

  /** The CUDA driver whose device is the host, a shared library. Compiled once. */
  public static synchronized Path compileDriver() throws IOException, InterruptedException {
    if (driver == null) {
      driver = compile("host_driver.cc", "libhost_driver.so", "-shared", "-fPIC");
    }
    return driver;
  }

  /** Makes LWJGL load it as the driver in this JVM. */
  public static void useDriver() throws IOException, InterruptedException {
    Configuration.CUDA_LIBRARY_NAME.set(compileDriver().toString());
  }
}
