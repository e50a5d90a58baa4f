package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.testing.OnPlainSpark;
import io.sparkata.testing.PlainSpark.Run;
import io.sparkata.testing.YarnCluster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application that knows MLlib only trains the same weights on YARN with and without Spark ATA.
 * Needs Maven's profile yarn, and the cluster of {@code scripts/cluster start --manager yarn
 * --speeds 2,1}. {@code scripts/test --all} has both.
 */
@Tag("yarn")
class YarnIT extends OnPlainSpark {
  private static final Path PLUGIN_JAR = Path.of(System.getProperty("ata.pluginJar"));

  YarnIT() {
    super("PlainApp");
  }

  @BeforeAll
  void trainWithStockSpark() throws Exception {
    YarnCluster.assertRuns("--speeds 2,1");
    Path weights = folder.resolve("stock");
    submit("client", weights, List.of());
    stock = read(weights);
  }

  @ParameterizedTest
  @CsvSource({"client, resident, [1-9][0-9]*", "cluster, stage, 0"})
  void submit_plugin_givesStockWeights(String mode, String execution, String byMessage)
      throws Exception {
    Path weights = folder.resolve(mode);
    Run run =
        submit(
            mode,
            weights,
            List.of(
                "--jars",
                PLUGIN_JAR.toString(),
                "--conf",
                "spark.plugins=io.sparkata.AtaPlugin",
                "--conf",
                "spark.ata.enabled=true",
                "--conf",
                "spark.ata.onError=fail",
                "--conf",
                "spark.ata.execution=" + execution));

    assertThat(mode.equals("client") ? run.log() : logOfDriver(run))
        .containsPattern(
            "Spark ATA: calls=1 routed=1 rounds=16 byMessage="
                + byMessage
                + " passedThrough=0 fallbacks=0");
    assertStock(read(weights));
  }

  private Run submit(String mode, Path weights, List<String> flags) throws Exception {
    Path conf = YarnCluster.FOLDER.resolve("conf");
    List<String> arguments = new ArrayList<>(List.of("--master", "yarn", "--deploy-mode", mode));
    arguments.addAll(List.of("--driver-memory", "768m", "--executor-memory", "1g"));
    arguments.addAll(List.of("--executor-cores", "1", "--num-executors", "2"));
    arguments.addAll(List.of("--conf", "spark.yarn.jars=local:" + spark.home() + "/jars/*"));
    arguments.addAll(List.of("--conf", "spark.yarn.stagingDir=" + folder.toUri()));
    arguments.addAll(flags);
    arguments.addAll(List.of("--class", "PlainApp", app.toString(), weights.toString(), "3", "1"));
    Run run =
        spark.submit(
            List.of("-cp", conf + File.pathSeparator + spark.classPath()), // the last -cp counts
            arguments,
            Map.of("HADOOP_CONF_DIR", conf.toString()));
    assertThat(run.status()).as(run.log()).isZero();
    return run;
  }

  /** In cluster mode the driver runs in the application's first container. */
  private static String logOfDriver(Run run) throws IOException {
    Matcher id = Pattern.compile("application(_\\d+_\\d+)").matcher(run.log());
    assertThat(id.find()).as(run.log()).isTrue();
    String log = "logs/" + id.group() + "/container" + id.group(1) + "_01_000001/stderr";
    try (Stream<Path> hosts = Files.list(YarnCluster.FOLDER.resolve("work"))) {
      Path found = hosts.map(host -> host.resolve(log)).filter(Files::exists).findFirst().get();
      return Files.readString(found);
    }
  }
}
