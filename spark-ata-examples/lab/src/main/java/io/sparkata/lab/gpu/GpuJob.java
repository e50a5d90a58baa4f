package io.sparkata.lab.gpu;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkata.AtaGradientDescent;
import io.sparkata.lab.Folders;
import io.sparkata.lab.Rounds;
import io.sparkata.lab.RunFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.optimization.GradientDescent;
import org.apache.spark.mllib.optimization.LogisticGradient;
import org.apache.spark.mllib.optimization.SquaredL2Updater;
import org.apache.spark.mllib.util.LogisticRegressionDataGenerator;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;

/**
 * Trains a logistic regression by MLlib and by Spark ATA on three executors, one with a GPU, and
 * compares the weights. Its cluster is Spark's own for tests, which takes jars, configuration and
 * the executors' folders from SPARK_HOME.
 */
final class GpuJob {
  private static final int EXECUTORS = 3;
  private static final int CORES = 2;
  private static final int SLOTS = EXECUTORS * CORES;

  /** Of a feature's means for the two labels. */
  private static final double SEPARATION = 0.1;

  private static final double STEP = 0.5;
  private static final double REG_PARAM = 0.01;
  private static final double FRACTION = 0.5;

  private final Path pack = Path.of(System.getProperty("ata.pack"));

  /** For logs, and SPARK_HOME. */
  private final Path folder = pack.resolve("logs");

  /** What the archives contain. */
  private final Path home = pack.resolve("unpacked");

  private final Size size;

  private record Size(int rows, int features, int iterations, int memoryMib, String blockSize) {}

  GpuJob(boolean isQuick) {
    size = isQuick ? new Size(3000, 20, 5, 512, "16k") : new Size(240_000, 500, 1000, 3072, "4m");
  }

  /** Prints the report. Throws a {@link RunFailure} if the weights differ or no GPU computes. */
  void run(ObjectNode report) throws IOException {
    Folders.empty(folder);
    for (String name : new String[] {"jars", "conf"}) {
      Files.createSymbolicLink(folder.resolve(name), home.resolve(name));
    }
    report.put("rows", size.rows).put("features", size.features).put("fraction", FRACTION);
    System.err.println("Starting a cluster of three workers; its logs are in " + folder + " ...");
    JobResult result;
    try (JavaSparkContext spark = new JavaSparkContext(conf())) {
      result = train(spark, report);
    }
    report.setAll((ObjectNode) new ObjectMapper().valueToTree(result));
    System.out.println(report);
    if (!result.failure().isEmpty()) {
      throw new RunFailure(result.failure());
    }
  }

  private JobResult train(JavaSparkContext spark, ObjectNode report) throws IOException {
    RDD<Tuple2<Object, Vector>> rows =
        LogisticRegressionDataGenerator.generateLogisticRDD(
                spark.sc(), size.rows, size.features, SEPARATION, SLOTS, /* probOne= */ 0.5)
            .toJavaRDD()
            .map(row -> new Tuple2<Object, Vector>(row.label(), row.features()))
            .cache()
            .rdd();
    rows.count();
    List<JobResult.Executor> executors = JobResult.executors(logs());
    if (executors.stream().noneMatch(JobResult.Executor::gpu)) {
      throw new RunFailure(JobResult.noRoundOnGpu(executors));
    }
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
    Path log = folder.resolve("rounds").resolve(spark.sc().applicationId() + "-call-1.jsonl");
    report.put("mllibSeconds", (between - start) / 1e9);
    report.put("sparkAtaSeconds", (System.nanoTime() - between) / 1e9);
    report.put("roundLog", log.toString());
    return JobResult.of(ours.toArray(), mllibs.toArray(), Rounds.read(log).samples(), logs());
  }

  private SparkConf conf() {
    String jars = // of the plugin, of the kernels and of this class
        Stream.of(home.resolve("ata").toFile().listFiles())
            .map(jar -> jar.toURI().toString())
            .collect(Collectors.joining(","));
    return new SparkConf()
        .setMaster("local-cluster[%d,%d,%d]".formatted(EXECUTORS, CORES, size.memoryMib))
        .setAppName("spark-ata-check-gpu")
        .set("spark.jars", jars)
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.worker.resource.gpu.amount", "1")
        .set("spark.worker.resource.gpu.discoveryScript", home + "/conf/discover-one-gpu")
        .set("spark.executor.memory", size.memoryMib + "m")
        .set("spark.executor.extraJavaOptions", "--add-modules=jdk.incubator.vector")
        .set("spark.executor.cores", "" + CORES)
        .set("spark.cores.max", "" + SLOTS)
        .set("spark.scheduler.minRegisteredResourcesRatio", "1")
        .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
        .set("spark.executor.resource.gpu.amount", "1")
        .set("spark.task.resource.gpu.amount", "" + 1.0 / CORES)
        .set("spark.plugins", "io.sparkata.AtaPlugin")
        .set("spark.ata.enabled", "true")
        .set("spark.ata.onError", "fail")
        .set("spark.ata.passThrough", "never")
        .set("spark.ata.route", "none")
        .set("spark.ata.blockSize", size.blockSize)
        .set("spark.ata.roundLog.path", folder.resolve("rounds").toUri().toString());
  }

  /** Of all executors. */
  private String logs() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.endsWith("stderr")).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }
}
