package io.sparkata.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Folders for PATH that hide a real nvidia-smi: bash is all that {@link #SCRIPT} needs. */
public final class FakeNvidiaSmi {
  /** The discovery script under test. */
  public static final Path SCRIPT =
      Path.of(System.getProperty("basedir"), "..", "..", "conf", "discover-gpus").normalize();

  private FakeNvidiaSmi() {}

  /** A PATH without nvidia-smi. */
  public static Path notInstalled(Path parent) throws IOException {
    Path folder = Files.createDirectories(parent.resolve(UUID.randomUUID().toString()));
    Files.createSymbolicLink(folder.resolve("bash"), Path.of("/bin/bash"));
    return folder;
  }

  /** A PATH with one that answers so to the question for indexes. */
  public static Path answering(Path parent, String answer, int status) throws IOException {
    Path folder = notInstalled(parent);
    String text =
        "#!/bin/bash\n[[ $* == '--query-gpu=index --format=csv,noheader' ]] || exit 2\nprintf '%s' '"
            + answer
            + "'\nexit "
            + status
            + "\n";
    script(folder.resolve("nvidia-smi"), text);
    return folder;
  }

  /** A discovery script without arguments and settings: a machine with that PATH. */
  public static Path discoveryScript(Path file, Path path, int standIns) throws IOException {
    return script(
        file,
        "#!/bin/bash\nexport PATH="
            + path
            + " ATA_GPU_STAND_INS="
            + standIns
            + "\nexec "
            + SCRIPT
            + "\n");
  }

  private static Path script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("Cannot make executable: " + file);
    }
    return file;
  }
}
