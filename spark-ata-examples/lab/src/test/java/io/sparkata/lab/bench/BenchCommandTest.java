package io.sparkata.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.lab.AtaRun;
import io.sparkata.lab.WithoutSpark;
import io.sparkata.lab.cluster.FakeProject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
  /** Has the application write a measurement: for lbfgs that of a fit, for cnn, ring a training. */
  private static final String MEASURE =
      "out=$*; out=${out#*--out }; out=${out%% *}; line=line;"
          + " [[ \"$*\" != *\"--case lbfgs \"* ]] || line=fit;"
          + " [[ \"$*\" != *\"--case cnn \"* && \"$*\" != *\"--case ring \"* ]] || line=cnn;"
          + " cat $root/$line >>$out";

  @TempDir private Path root;
  private FakeProject fake;

  @BeforeEach
  void writeScripts() throws Exception {
    fake = new FakeProject(root);
    Files.writeString(root.resolve("line"), BenchJson.MAPPER.writeValueAsString(MEASURED) + "\n");
    Files.writeString(
        root.resolve("fit"),
        BenchJson.MAPPER.writeValueAsString(FitReportTest.measurement("adaptive", 2.0)) + "\n");
    Files.writeString(
        root.resolve("cnn"),
        BenchJson.MAPPER.writeValueAsString(CnnReportTest.measurement("adaptive", 0.5)) + "\n");
  }

  @AfterEach
  void forgetScripts() {
    fake.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                 | Invalid case: nothing (one of heterogeneous, drift, overhead,
          overhead --sides mllib  | Invalid option: --sides (overhead takes --speeds, --policy, --classpath, --out, --quick,
          drift --repetitions=3   | Invalid option: --repetitions (drift takes --speeds,
          real-data --seed 2      | Invalid option: --seed (real-data takes --speeds,
          yarn --features 3       | Invalid option: --features (yarn takes --speeds,
          drift --colour red      | Invalid option: --colour (unknown)
          drift --speeds 1        | Invalid --speeds: 1 (two or more positive numbers,
          yarn --seed x           | Invalid --seed: x (a whole number)
          yarn --fractions 1,x    | Invalid --fractions: x (a number)
          heterogeneous --sides mine  | Invalid --sides: mine (mllib, mllib-speculation,
          heterogeneous --sides lbfgs | Invalid --sides: lbfgs (another method: for real-data alone)
          drift --sides mllib-replicated | Invalid --sides: mllib-replicated (for drift those with one
          drift --iterations 35   | Invalid --iterations: 35 (at least 36)
          yarn --iterations 11    | Invalid --iterations: 11 (at least 12)
          yarn --repetitions 0    | Invalid --repetitions: 0 (at least 1)
          overhead --features 0   | Invalid --features: 0 (at least 1)
          yarn --sizes huge       | Invalid --sizes: huge (small, medium, large, large-mllib)
          yarn --layouts round    | Invalid --layouts: round (dense, sparse)
          yarn --fractions 2      | Invalid --fractions: 2.0 (above 0, at most 1)
          yarn --sizes medium     | Invalid --fractions: 0.1 (1.0 for medium rounds: more rows do not fit)
          real-data --sets cars   | Invalid --sets: cars (flights, fashion-mnist)
          yarn --cases linear-svc | Invalid option: --cases (yarn takes --speeds,
          lbfgs --fractions 1     | Invalid option: --fractions (lbfgs takes --speeds,
          lbfgs --cases forest    | Invalid --cases: forest (logistic-dense, logistic-sparse, linear-svc,
          lbfgs --sides mllib     | Invalid --sides: mllib (stock, stock-partitioned, stock-replicated,
          lbfgs --sizes medium    | Invalid --sizes: medium (small, large)
          lbfgs --iterations 4    | Invalid --iterations: 4 (at least 5)
          cnn --iterations 90     | Invalid --iterations: 90 (a multiple of 25)
          cnn --iterations 0      | Invalid --iterations: 0 (at least 25)
          cnn --sides mllib       | Invalid --sides: mllib (uniform, self-adaptive, ata-empirical,
          ring --sides adaptive   | Invalid --sides: adaptive (ring-equal, ring-static, ring-self-adaptive, uniform, self-adaptive)
          ring --iterations 90    | Invalid --iterations: 90 (a multiple of 25)
          ring --fractions 1      | Invalid option: --fractions (ring takes --speeds,
          drift --sides greedy    | Invalid --sides: greedy (its model is not MLlib's: for cnn alone)
          cnn --sizes small       | Invalid option: --sizes (cnn takes --speeds, --policy, --classpath, --out, --quick,
          heterogeneous --sides stock | Invalid --sides: stock (mllib, mllib-speculation,
          yarn --policy my.Policy | Invalid --policy: my.Policy (this class is not on the class path.
          yarn --policy adaptive  | Invalid --policy: adaptive (it is built in;
          yarn --classpath x.jar  | Invalid --classpath: x.jar (no such file or folder)
          yarn --classpath src    | Invalid --classpath:
          """)
  void run_withBadArguments_saysWhatIsAllowedAndStartsNothing(String arguments, String message)
      throws Exception {
    AtaRun run = run(arguments.split(" ", -1));
    assertThat(run.err()).startsWith(message).contains("See: scripts/ata bench --help");
    assertThat(run.status()).isEqualTo(2);
    assertThat(fake.calls()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(BenchCase.class)
  void help_ofAnyCase_namesTheOptionsThatItTakes(BenchCase one) {
    String options = String.format("  %-14s %s\n", one.id(), String.join(" ", one.options()));
    AtaRun run = run("--help");
    assertThat(run.out()).contains(options);
    assertThat(run.status()).isZero();
  }

  @ParameterizedTest
  @EnumSource(BenchCase.class)
  void defaults_ofAnyCase_canBeRun(BenchCase one) {
    for (boolean isQuick : new boolean[] {false, true}) {
      BenchArguments arguments = new BenchArguments();
      one.complete(arguments, isQuick);
      arguments.check(one);
      assertThat(one.clusters(isQuick)).isNotEmpty();
    }
  }

  @Test
  void run_withoutTheData_saysWhatFetchesThem() throws Exception {
    AtaRun run = run("real-data");
    assertThat(run.err())
        .startsWith("Cannot find " + root.resolve("target/data/flights/flights-3m.parquet"))
        .contains("Fetch it: scripts/fetch-data, or set --data");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).containsExactly("cluster status");
    Files.createDirectories(root.resolve("elsewhere/fashion-mnist"));
    fake.on("submit", MEASURE);
    run = run("real-data", "--sets=fashion-mnist", "--data", root.resolve("elsewhere").toString());
    assertThat(run.status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cnn", "ring"})
  void run_withoutTheImages_saysWhatFetchesThem(String one) throws Exception {
    AtaRun run = run(one);
    assertThat(run.err())
        .startsWith("Cannot find " + root.resolve("target/data/fashion-mnist"))
        .contains("Fetch it: scripts/fetch-data, or set --data");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).containsExactly("cluster status");
  }

  @Test
  void run_whereAClusterRuns_startsNone() throws Exception {
    fake.on("cluster-status", "exit 0");
    AtaRun run = run("drift");
    assertThat(run.err()).startsWith("Cannot start: the cluster runs already. End it with: ");
    assertThat(run.status()).isEqualTo(1);
    assertThat(fake.actions()).containsExactly("cluster status");
  }

  @Test
  void run_withTooLittleMemoryForOneCluster_startsNone() throws Exception {
    fake.memory(4096 + 4 * 1024);
    AtaRun run = run("heterogeneous", "--speeds=2,1", "--speeds=1,1,1,1,1");
    assertThat(run.err()).startsWith("Cannot start: 8192 MiB of memory are available,");
    assertThat(fake.actions()).containsExactly("cluster status");
  }

  @Test
  void run_ofACase_startsClusterAndApplicationAndReports() throws Exception {
    fake.on("submit", MEASURE);
    Path out = root.resolve("my results");
    AtaRun run = run("drift", "--quick", "--seed=7", "--out", out.toString());
    assertThat(run.status()).isZero();
    Path folder = root.resolve("target/bench/cluster");
    assertThat(fake.actions())
        .containsExactly(
            "cluster status",
            "ata --spark-home",
            "cluster start",
            "cluster status",
            "cluster lift",
            "submit --class",
            "cluster stop");
    assertThat(fake.calls().get(2))
        .isEqualTo("cluster start --dir " + folder + " --speeds 1,1 --cores 1 --memory 4608m");
    assertThat(fake.calls().get(5))
        .contains(
            "submit --class io.sparkata.lab.bench.Bench ",
            " --conf spark.ata.route=none ",
            " --case drift --speeds 1,1 --out " + root.resolve("target/bench/drift.jsonl"),
            " --sides=adaptive --sizes=large --layouts=dense --fractions=1.0 ",
            " --iterations=36 ",
            " --seed=7 ",
            " --lift " + root.resolve("scripts/cluster") + " lift --dir " + folder,
            " --throttle "
                + root.resolve("scripts/cluster")
                + " throttle --dir "
                + folder
                + " --worker 127.0.0.2 --factor");
    assertThat(run.out())
        .startsWith("\nlarge rounds at speeds 2:1: rows,")
        .contains("| adaptive |");
    assertThat(out.resolve("drift.json"))
        .content()
        .contains("\"sparkVersion\":\"3.5.6\",\"ataVersion\":\"1.2.3\",\"commit\":\"abcdef0\"")
        .contains("\"seed\":7")
        .contains("\"command\":\"scripts/ata bench drift --quick --seed=7 --out '" + out + "'\"");
  }

  @Test
  void run_ofLbfgs_handsOnItsOptionsAndPrintsTheFits() throws Exception {
    fake.on("submit", MEASURE);
    AtaRun run = run("lbfgs", "--quick", "--seed=7", "--cases=linear-svc,cross-validator");
    assertThat(run.status()).isZero();
    assertThat(fake.calls())
        .anySatisfy(
            call ->
                assertThat(call)
                    .startsWith("submit ")
                    .contains(
                        " --case lbfgs --speeds 2,1 ",
                        " --sides=stock,adaptive --sizes=small ",
                        " --cases=linear-svc,cross-validator ",
                        " --iterations=6 ",
                        " --seed=7 "));
    assertThat(run.out())
        .startsWith("\nlinear-svc at speeds 2:1: LinearSVC, rows,")
        .contains("| adaptive |");
    assertThat(root.resolve("target/bench/lbfgs/lbfgs.json"))
        .content()
        .startsWith("[{\"case\":\"linear-svc\",\"side\":\"adaptive\"")
        .contains("\"seed\":7");
  }

  @ParameterizedTest
  @EnumSource(BenchCase.class)
  void run_ofAnyCaseWithoutSparkOnTheClassPath_isZero(BenchCase one) throws Exception {
    Files.createDirectories(root.resolve("target/data/fashion-mnist"));
    fake.on("submit", MEASURE);
    if (one == BenchCase.OVERHEAD) {
      fake.on("submit", "exit 1"); // the driver's own part needs a Spark
      assertThat(new WithoutSpark().run("bench", one.id(), "--quick")).isEqualTo(1);
      return;
    }
    assertThat(new WithoutSpark().run("bench", one.id(), "--quick")).isZero();
  }

  @Test
  void run_withJson_printsItAlone() throws Exception {
    fake.on("submit", MEASURE);
    AtaRun run = run("drift", "--quick", "--json");
    assertThat(run.out()).startsWith("[{\"case\":\"drift\"").endsWith("}]\n").hasLineCount(1);
    assertThat(run.err()).contains("| adaptive |");
  }

  @Test
  void run_whoseSecondClusterFails_reportsTheFirst() throws Exception {
    fake.on("submit", MEASURE + "; [[ \"$*\" != *\"--speeds 1,1 \"* ]] || exit 1");
    AtaRun run = run("speculation", "--quick", "--speeds=2,1", "--speeds=1,1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .endsWith("Cannot finish the case speculation at speeds 1,1: see above.\n");
    assertThat(run.out()).contains("| adaptive |");
    assertThat(fake.actions().stream().filter("cluster stop"::equals)).hasSize(2);
  }

  @Test
  void run_thatMeasuresNothing_saysOnlyWhatFailed() throws Exception {
    fake.on("submit", "exit 1");
    AtaRun run = run("yarn", "--quick");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(fake.calls())
        .contains("cluster stop --manager yarn --dir " + root.resolve("target/yarn"));
  }

  @Test
  void arguments_withAPolicy_haveOneMoreSide() {
    BenchArguments arguments = new BenchArguments();
    new picocli.CommandLine(arguments).parseArgs("--policy=my.Policy", "--sides=mllib");
    BenchCase.HETEROGENEOUS.complete(arguments, /* isQuick= */ false);
    assertThat(arguments.sides()).containsExactly(BenchSide.MLLIB, BenchSide.ofPolicy("my.Policy"));
    assertThat(arguments.withPolicy(List.of(BenchSide.UNIFORM)))
        .containsExactly(BenchSide.UNIFORM, BenchSide.ofPolicy("my.Policy"));
    assertThat(arguments.values()).containsEntry("--policy", "my.Policy");
  }

  private static AtaRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(arguments));
    return AtaRun.of(all.toArray(new String[0]));
  }

  private static final Measurement MEASURED =
      new Measurement(
          "drift",
          "adaptive",
          "2,1",
          "rows",
          "large",
          1,
          30,
          1,
          0.5,
          2,
          15,
          30,
          20,
          0.9,
          0.05,
          0.1,
          0,
          Map.of(),
          Map.of(),
          1,
          Double.NaN,
          List.of(0.9, 0.8),
          Map.of("efficiencyBefore", 0.8));
}
