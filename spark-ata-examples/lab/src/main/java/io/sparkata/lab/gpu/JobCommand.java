package io.sparkata.lab.gpu;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.AtaGradientDescent;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.rdd.RDD;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.Tuple2;

/** The command {@code run job} of a pack of {@code scripts/check-gpu}. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Trains a logistic regression by MLlib and by Spark ATA on three executors, one with a GPU,"
          + " and compares the weights. Prints one JSON object."
    })
final class JobCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EXECUTORS = 3;
  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;
  private static final double FRACTION = 0.5;
  private static final long WAIT_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 200;

  @Option(names = "--quick", description = "Trains on few rows.")
  private boolean quick;

  @Option(names = "--home", required = true, description = "Folder of the unpacked pack.")
  private Path home;

  @Option(
      names = "--folder",
      required = true,
      description = "Folder for logs. Its files are deleted.")
  private Path folder;

  /** The size of the job. */
  private record Size(int rows, int features, int iterations, String memory, String blockSize) {}

  /** Exits with 1 after one line on standard error if the weights differ or no GPU computes. */
  @Override
  public Integer call() throws Exception {
    Size size =
        quick ? new Size(3000, 20, 5, "512m", "16k") : new Size(240_000, 500, 1000, "3g", "4m");
    delete(folder);
    Files.createDirectories(folder);
    ObjectNode report = JSON.createObjectNode();
    report.put("build", System.getProperty("ata.build", "unknown")).put("quick", quick);
    report.put("rows", size.rows).put("features", size.features).put("fraction", FRACTION);
    String failure;
    try (LoopbackCluster cluster = new LoopbackCluster(home, folder)) {
      System.err.println("Starting a cluster of three workers; its logs are in " + folder + " ...");
      String master = cluster.start(discoveryScripts(), size.memory);
      try (JavaSparkContext spark = new JavaSparkContext(conf(master, size))) {
        failure = train(spark, size, report);
      }
    } catch (RunFailure known) {
      throw known;
    } catch (Exception error) { // Scala methods of Spark declare no checked exceptions
      error.printStackTrace();
      throw new RunFailure(
          "Cannot run the job: " + firstLine(error) + " See above, and the logs in " + folder);
    }
    System.out.println(report);
    if (!failure.isEmpty()) {
      throw new RunFailure(failure);
    }
    return 0;
  }

  private static String firstLine(Exception error) {
    return error.toString().lines().findFirst().orElse("");
  }

  private String train(JavaSparkContext spark, Size size, ObjectNode report)
      throws IOException, InterruptedException {
    ExecutorLogs stated = awaitStatements();
    if (!stated.hasGpu()) {
      throw new RunFailure(stated.noRoundOnGpu());
    }
    RDD<Tuple2<Object, Vector>> rows =
        JobRows.of(spark, size.rows, size.features, LoopbackCluster.CORES * EXECUTORS);
    rows.count();
    System.err.println("Training by MLlib ...");
    long start = System.nanoTime();
    Vector mllibs =
        GradientDescent.runMiniBatchSGD(
                rows,
                new LogisticGradient(),
                new SquaredL2Updater(),
                STEP,
                size.iterations,
                REG_PARAM,
                FRACTION,
                Vectors.zeros(size.features),
                /* convergenceTol= */ 0)
            ._1();
    long between = System.nanoTime();
    System.err.println("Training by Spark ATA ...");
    Vector ours =
        new AtaGradientDescent(new LogisticGradient(), new SquaredL2Updater())
            .setStepSize(STEP)
            .setNumIterations(size.iterations)
            .setRegParam(REG_PARAM)
            .setMiniBatchFraction(FRACTION)
            .setConvergenceTol(0)
            .optimize(rows, Vectors.zeros(size.features));
    report.put("mllibSeconds", (between - start) / 1e9);
    report.put("sparkAtaSeconds", (System.nanoTime() - between) / 1e9);
    Path log = rounds().resolve(spark.sc().applicationId() + "-call-1.jsonl");
    report.put("roundLog", log.toString());
    return new JobResult(
            ours.toArray(), mllibs.toArray(), Rounds.read(log), ExecutorLogs.read(folder))
        .into(report);
  }

  private SparkConf conf(String master, Size size) throws IOException {
    return new SparkConf()
        .setMaster(master)
        .setAppName("spark-ata-check-gpu")
        .set("spark.jars", jars())
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.executor.memory", size.memory)
        .set("spark.executor.extraJavaOptions", "--add-modules=jdk.incubator.vector")
        .set("spark.executor.cores", "" + LoopbackCluster.CORES)
        .set("spark.executor.resource.gpu.amount", "1")
        .set("spark.task.resource.gpu.amount", "" + 1.0 / LoopbackCluster.CORES)
        .set("spark.plugins", "io.sparkata.AtaPlugin")
        .set("spark.ata.enabled", "true")
        .set("spark.ata.onError", "fail")
        .set("spark.ata.passThrough", "never")
        .set("spark.ata.route", "none")
        .set("spark.ata.blockSize", size.blockSize)
        .set("spark.ata.roundLog.path", rounds().toUri().toString());
  }

  private Path rounds() {
    return folder.resolve("rounds");
  }

  /** The jars of the plugin, of the kernels and of this class. */
  private String jars() throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("ata"))) {
      return jars.map(jar -> jar.toUri().toString()).sorted().collect(Collectors.joining(","));
    }
  }

  /**
   * The first worker gets the GPU that {@code conf/discover-gpus} finds, or address 0 on a machine
   * without nvidia-smi. The other workers get a stand-in.
   */
  private List<Path> discoveryScripts() throws IOException {
    Path standIn = script("stand-in", "none-0");
    Path gpu =
        hasNvidiaSmi() ? home.resolve("conf").resolve("discover-gpus") : script("address-0", "0");
    return List.of(gpu, standIn, standIn);
  }

  private static boolean hasNvidiaSmi() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(entry -> Files.isExecutable(Path.of(entry, "nvidia-smi")));
  }

  private Path script(String name, String address) throws IOException {
    Path script = folder.resolve(name);
    Files.writeString(
        script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"" + address + "\"]}'\n");
    if (!script.toFile().setExecutable(true)) {
      throw new RunFailure("Cannot make a script executable: " + script);
    }
    return script;
  }

  /** Every executor logs what it computes with at its start, before it takes a task. */
  private ExecutorLogs awaitStatements() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    ExecutorLogs logs = ExecutorLogs.read(folder);
    while (logs.executors().size() < EXECUTORS) {
      if (System.nanoTime() > deadline) {
        throw new RunFailure(
            "Cannot train: "
                + logs.executors().size()
                + " of "
                + EXECUTORS
                + " executors started within two minutes, see the logs in "
                + folder);
      }
      Thread.sleep(POLL_MILLIS);
      logs = ExecutorLogs.read(folder);
    }
    return logs;
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
