package io.sparkata.lab.scripts;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where this machine's cgroups with CPU quotas are.
 *
 * @param mounts text of /proc/mounts
 * @param own text of /proc/self/cgroup
 */
record Cgroups(String mounts, String own) {
  private static final int DEPTH = 8;
  private static final int REMOVAL_TRIES = 50;

  /**
   * A folder in which this user can make groups with quotas.
   *
   * @param enforcement the version
   */
  record Base(Enforcement enforcement, Path folder) {}

  static Cgroups here() throws IOException {
    return new Cgroups(
        Files.readString(Path.of("/proc/mounts")), Files.readString(Path.of("/proc/self/cgroup")));
  }

  Optional<Path> mount(Enforcement version) {
    for (String line : mounts.split("\n", -1)) {
      String[] field = line.split(" ", -1);
      boolean isIt =
          field.length > 3
              && (version == Enforcement.V1
                  ? field[2].equals("cgroup") && List.of(field[3].split(",", -1)).contains("cpu")
                  : field[2].equals("cgroup2"));
      if (isIt) {
        return Optional.of(Path.of(field[1]));
      }
    }
    return Optional.empty();
  }

  /** This process's group, relative to the mount. */
  Path group(Enforcement version) {
    for (String line : own.split("\n", -1)) {
      String[] field = line.split(":", 3);
      boolean isIt =
          field.length == 3
              && (version == Enforcement.V1
                  ? List.of(field[1].split(",", -1)).contains("cpu")
                  : field[0].equals("0"));
      if (isIt) {
        return Path.of("/").relativize(Path.of(field[2]));
      }
    }
    return Path.of("");
  }

  /** CPUs that this process's own quota allows; infinite without one. */
  double quota() {
    try {
      Optional<Path> first = mount(Enforcement.V1);
      String quota;
      if (first.isPresent()) {
        Path group = first.get().resolve(group(Enforcement.V1));
        quota =
            Files.readString(group.resolve("cpu.cfs_quota_us")).trim()
                + " "
                + Files.readString(group.resolve("cpu.cfs_period_us"));
      } else {
        Path mount = mount(Enforcement.V2).orElseThrow(IOException::new);
        quota = Files.readString(mount.resolve(group(Enforcement.V2)).resolve("cpu.max"));
      }
      String[] numbers = quota.trim().split(" ", -1);
      boolean isQuota = Decimals.isNumber(numbers[0]) && Double.parseDouble(numbers[0]) > 0;
      return isQuota
          ? Double.parseDouble(numbers[0]) / Double.parseDouble(numbers[1])
          : Double.POSITIVE_INFINITY;
    } catch (IOException none) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** The first of the own group and those above it that works. */
  Optional<Base> writable() throws IOException {
    Optional<Path> first = mount(Enforcement.V1);
    if (first.isPresent()) {
      List<Path> folders = List.of(first.get().resolve(group(Enforcement.V1)), first.get());
      return firstThatWorks(Enforcement.V1, folders);
    }
    Optional<Path> second = mount(Enforcement.V2);
    if (second.isEmpty()) {
      return Optional.empty();
    }
    Path group = second.get().resolve(group(Enforcement.V2));
    List<Path> folders = new ArrayList<>(List.of(group));
    if (!group.equals(second.get())) {
      folders.add(group.getParent());
    }
    folders.add(second.get());
    return firstThatWorks(Enforcement.V2, folders);
  }

  private static Optional<Base> firstThatWorks(Enforcement version, List<Path> folders)
      throws IOException {
    for (Path folder : folders) {
      if (version == Enforcement.V2) {
        enableCpuController(folder);
      }
      if (works(version, folder)) {
        return Optional.of(new Base(version, folder));
      }
    }
    return Optional.empty();
  }

  private static void enableCpuController(Path folder) {
    try {
      Enforcement.write(folder, "cgroup.subtree_control", "+cpu");
    } catch (IOException refused) {
      // the probe fails, too
    }
  }

  /** Whether a group can be made there, limited, and given a process. */
  private static boolean works(Enforcement version, Path folder) throws IOException {
    Path group = folder.resolve("spark-ata-probe-" + ProcessHandle.current().pid());
    Process process = null;
    try {
      Files.createDirectory(group);
      version.hold(group, /* quota= */ 10_000, /* period= */ 10_000);
      process = new ProcessBuilder("sleep", "60").start();
      Enforcement.write(group, "cgroup.procs", process.pid());
      return true;
    } catch (IOException refused) {
      return false;
    } finally {
      if (process != null) {
        process.destroyForcibly().onExit().join();
      }
      remove(group);
    }
  }

  /** A group can be removed a moment after its last process has ended. */
  static void remove(Path group) throws IOException {
    for (int i = 0; i < REMOVAL_TRIES && Files.isDirectory(group); i++) {
      if (group.toFile().delete()) {
        return;
      }
      pause(100);
    }
    if (Files.isDirectory(group)) {
      System.err.println("Cannot remove the cgroup " + group + ": it is still in use.");
    }
  }

  /** Groups whose names begin like this, wherever they are. */
  List<Path> named(String prefix) throws IOException {
    List<Path> groups = new ArrayList<>();
    for (Enforcement version : List.of(Enforcement.V1, Enforcement.V2)) {
      Optional<Path> mount = mount(version);
      if (mount.isPresent()) {
        Files.walkFileTree(
            mount.get(),
            EnumSet.noneOf(FileVisitOption.class),
            DEPTH,
            new SimpleFileVisitor<Path>() {
              @Override
              public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                return collect(file, attributes);
              }

              @Override
              public FileVisitResult preVisitDirectory(
                  Path folder, BasicFileAttributes attributes) {
                return collect(folder, attributes);
              }

              @Override
              public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
              }

              private FileVisitResult collect(Path path, BasicFileAttributes attributes) {
                if (attributes.isDirectory() && path.getFileName().toString().startsWith(prefix)) {
                  groups.add(path);
                }
                return FileVisitResult.CONTINUE;
              }
            });
      }
    }
    return groups;
  }

  static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
