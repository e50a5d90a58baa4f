package io.sparkata.lab.cluster;

import io.sparkata.lab.Launch;
import io.sparkata.lab.Program;
import io.sparkata.lab.Project;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Executors of one core each, with relative speeds, as JVMs of this machine: what {@code
 * scripts/cluster} starts. Ends with {@link #close}, and at the latest when this JVM shuts down,
 * applications first. For one thread.
 */
public final class UnevenCluster implements AutoCloseable {
  /** Who manages the executors. */
  public enum Manager {
    STANDALONE,
    YARN
  }

  /**
   * What to start.
   *
   * @param folder for logs, work folders and state
   * @param executorMib memory of each executor
   * @param enforcement how shares are enforced, as {@code ATA_CLUSTER_ENFORCE} says it; null for
   *     what that variable says, or the best there is
   */
  public record Plan(
      Manager manager, Path folder, RelativeSpeeds speeds, int executorMib, String enforcement) {}

  /**
   * One processor per executor, as its one core says, and an old generation with room for the
   * cached rows. What runs a few times a round stays with C1: C2 takes up to half of a tenth of a
   * core, now and then.
   */
  private static final String EXECUTOR_OPTIONS =
      "-XX:ActiveProcessorCount=1 -XX:+UseSerialGC -XX:NewRatio=7"
          + " -XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=50000"
          + " -XX:Tier4CompileThreshold=150000";

  private final Plan plan;
  private final Thread hook = new Thread(this::stop, "stop cluster");
  private volatile Program running;
  private String status; // as JSON
  private boolean isKept;
  private boolean isStopped;

  private UnevenCluster(Plan plan) {
    this.plan = plan;
  }

  /** The folder where scripts/submit looks for YARN. */
  public static Path yarnFolder() {
    return Project.path("target/yarn");
  }

  /**
   * Checks that no cluster runs in that folder: another run's must not end with this one.
   *
   * @throws RunFailure if one does
   */
  public static void requireNone(Manager manager, Path folder) {
    if (new Program(command(manager, folder, "status")).lines(line -> {}).run() == 0) {
      throw new RunFailure(
          "Cannot start: the cluster runs already. End it with: " + stopCommand(folder));
    }
  }

  private static List<String> command(
      Manager manager, Path folder, String action, String... options) {
    List<String> command = Launch.script("cluster", action);
    if (manager == Manager.YARN) {
      command.addAll(List.of("--manager", "yarn"));
    }
    command.addAll(List.of("--dir", folder.toString()));
    command.addAll(List.of(options));
    return command;
  }

  private static String stopCommand(Path folder) {
    return "scripts/cluster stop --dir " + folder;
  }

  /**
   * Starts a cluster and waits for its workers.
   *
   * @throws RunFailure if it does not start; nothing of it is left then
   */
  public static UnevenCluster start(Plan plan) {
    UnevenCluster cluster = new UnevenCluster(plan);
    Runtime.getRuntime().addShutdownHook(cluster.hook);
    try {
      cluster.start();
      return cluster;
    } catch (RuntimeException error) {
      cluster.close();
      throw error;
    }
  }

  private void start() {
    String memory = plan.executorMib() + "m";
    Program start =
        new Program(command("start", "--speeds", "" + plan.speeds(), "--memory", memory));
    if (plan.enforcement() != null) {
      start.with("ATA_CLUSTER_ENFORCE", plan.enforcement());
    }
    if (run(start) != 0) {
      throw new RunFailure("Cannot start the cluster, see above.");
    }
    status = Launch.output(new Program(command("status", "--json")));
    if (status.contains("\"AFFINITY\"")) {
      System.err.println(
          "Warning: no CPU quotas can be set here. The speeds hold only while all executors"
              + " compute: once the fast are done the slow ones speed up, and iteration times say"
              + " little. Run as root for quotas.");
    }
  }

  /** Whether CPU quotas hold the executors to their shares: what lift, hold and throttle need. */
  public boolean hasQuotas() {
    return status.contains("\"CGROUP\"");
  }

  /** Lets all executors run as fast as the CPUs give. */
  public void lift() {
    if (run(new Program(command("lift"))) != 0) {
      throw new RunFailure("Cannot change the executors' shares (lift), see above.");
    }
  }

  /** The command that changes shares, for an application that does it by itself. */
  public List<String> command(String action, String... options) {
    return command(plan.manager(), plan.folder(), action, options);
  }

  /** Leaves the cluster running when this object is closed. */
  public void keep() {
    isKept = true;
  }

  /** An application for all executors of this cluster, to be run by {@link #run}. */
  public Submission submission(String mainClass) {
    String executors = "" + plan.speeds().count();
    return new Submission(mainClass)
        .option("--master", master())
        .option("--driver-memory", "3g")
        .option("--executor-memory", plan.executorMib() + "m")
        .option("--executor-cores", "1")
        .conf("spark.executor.instances", executors)
        .conf("spark.cores.max", executors)
        .conf("spark.scheduler.minRegisteredResourcesRatio", "1")
        .conf("spark.scheduler.maxRegisteredResourcesWaitingTime", "300s")
        .conf("spark.ata.enabled", "true")
        .conf("spark.driver.host", "127.0.0.1")
        .conf("spark.executor.extraJavaOptions", EXECUTOR_OPTIONS)
        .conf("spark.memory.fraction", "0.8")
        .conf("spark.ui.enabled", "false");
  }

  private String master() {
    try {
      return Files.readString(plan.folder().resolve("master-url")).strip();
    } catch (IOException error) {
      throw new UncheckedIOException("Cannot read the cluster's master-url", error);
    }
  }

  /** Runs a program that ends before the cluster does, in every case; returns its exit status. */
  public int run(Program program) {
    running = program;
    return program.run();
  }

  /** Stops the cluster, or says how to if it is to be kept. */
  @Override
  public void close() {
    stop();
    Program.removeHook(hook);
  }

  private synchronized void stop() {
    if (isStopped) {
      return;
    }
    isStopped = true;
    Program last = running;
    if (last != null) {
      last.end();
    }
    if (isKept) {
      System.err.println("The cluster is left running; end it with: " + stopCommand(plan.folder()));
      return;
    }
    // In a session of its own, which a second Ctrl-C does not reach.
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(command("stop"));
    if (new Program(command).outlivingShutdown().run() != 0) {
      System.err.println(
          "Cannot stop the cluster, see above. Stop it by: " + stopCommand(plan.folder()));
    }
  }
}
