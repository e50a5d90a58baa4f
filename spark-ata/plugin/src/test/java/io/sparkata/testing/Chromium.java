package io.sparkata.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** Debian's browser, without a window. */
public final class Chromium {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final int SECONDS = 60;

  private Chromium() {}

  /**
   * What a page has become once its scripts have run.
   *
   * @param dom as HTML
   * @param console what scripts and the browser wrote there, errors among it
   * @param screenshot a PNG file, kept in target/screenshots
   */
  public record Page(String dom, List<String> console, Path screenshot) {}

  /** Whether this machine has it. */
  public static boolean isInstalled() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "chromium")));
  }

  /**
   * Opens a page.
   *
   * @param name of the screenshot
   */
  public static Page open(String address, String name) throws IOException, InterruptedException {
    Path screenshot = Files.createDirectories(SCREENSHOTS).resolve(name + ".png").toAbsolutePath();
    Path profile = Files.createTempDirectory("chromium");
    Path dom = profile.resolve("dom.html");
    Path log = profile.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox", // which root cannot have
                "--disable-gpu",
                "--enable-logging=stderr",
                "--user-data-dir=" + profile,
                "--window-size=1300,2400",
                "--timeout=20000",
                "--screenshot=" + screenshot,
                "--dump-dom",
                address)
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(address + ": the browser has not ended after " + SECONDS + " s");
      }
      try (Stream<String> lines = Files.lines(log, UTF_8)) {
        List<String> console = lines.filter(line -> line.contains("CONSOLE")).toList();
        return new Page(Files.readString(dom, UTF_8), console, screenshot);
      }
    } finally {
      process.destroyForcibly();
      FileUtils.deleteDirectory(profile.toFile());
    }
  }
}
