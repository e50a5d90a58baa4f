package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.testing.CapturedLog;
import io.sparkata.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.connect.proto.Command;
import org.apache.spark.connect.proto.ExecutePlanRequest;
import org.apache.spark.connect.proto.ExecutePlanResponse;
import org.apache.spark.connect.proto.Expression.Literal;
import org.apache.spark.connect.proto.MlCommand;
import org.apache.spark.connect.proto.MlOperator;
import org.apache.spark.connect.proto.MlParams;
import org.apache.spark.connect.proto.Plan;
import org.apache.spark.connect.proto.Read;
import org.apache.spark.connect.proto.Relation;
import org.apache.spark.connect.proto.SparkConnectServiceGrpc;
import org.apache.spark.connect.proto.UserContext;
import org.apache.spark.sql.connect.service.SparkConnectService$;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.sparkproject.connect.grpc.ManagedChannel;
import org.sparkproject.connect.grpc.ManagedChannelBuilder;
import scala.Option;

/** Fits that a client of Spark Connect asks for. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectIT {
  private static final int ROWS = 3000;

  private TestCluster cluster;
  private ManagedChannel channel;
  private Path rows;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Random random = new Random(5);
    rows =
        Files.write(
            folder.resolve("rows.libsvm"),
            IntStream.range(0, ROWS)
                .mapToObj(i -> line(random.nextGaussian(), random.nextGaussian(), i % 2))
                .toList());
    cluster =
        TestCluster.start(
            Map.of(
                "spark.ata.route", "lbfgs",
                "spark.ata.report", "log",
                "spark.connect.grpc.binding.port", "0"));
    SparkConnectService$.MODULE$.start(cluster.context().sc());
    channel =
        ManagedChannelBuilder.forAddress("localhost", SparkConnectService$.MODULE$.localPort())
            .usePlaintext()
            .build();
  }

  private static String line(double x, double y, int label) {
    return label + " 1:" + (x + label) + " 2:" + (y - label);
  }

  @AfterAll
  void stop() {
    channel.shutdownNow();
    SparkConnectService$.MODULE$.stop(Option.apply(10L), Option.apply(TimeUnit.SECONDS));
    cluster.close();
  }

  @Test
  void fit_estimatorsThatAreServed_areAllocatedAndNamedByTheirSession() {
    Counters evaluations = cluster.runtime().evaluations();
    for (String estimator : List.of("LogisticRegression", "LinearSVC")) {
      long before = evaluations.rounds.get();
      try (CapturedLog log = CapturedLog.of("io.sparkata.report")) {
        String session = UUID.randomUUID().toString();
        fit("org.apache.spark.ml.classification." + estimator, session);

        assertThat(evaluations.rounds.get() - before).as(estimator).isPositive();
        String name = "fit_1, maxIter=5 in Spark Connect session " + session.substring(0, 8);
        Awaitility.await() // of the event that the blocks are unpersisted
            .until(() -> log.messages(Level.INFO).stream().anyMatch(line -> line.contains(name)));
      }
    }
    assertThat(evaluations.fallbacks).hasValue(0);
  }

  private void fit(String estimator, String session) {
    Read.DataSource source =
        Read.DataSource.newBuilder()
            .setFormat("libsvm")
            .putOptions("numFeatures", "2")
            .addPaths(rows.toUri().toString())
            .build();
    MlCommand.Fit fit =
        MlCommand.Fit.newBuilder()
            .setEstimator(
                MlOperator.newBuilder()
                    .setName(estimator)
                    .setUid("fit_1")
                    .setType(MlOperator.OperatorType.OPERATOR_TYPE_ESTIMATOR))
            .setParams(
                MlParams.newBuilder()
                    .putParams("maxIter", Literal.newBuilder().setInteger(5).build()))
            .setDataset(Relation.newBuilder().setRead(Read.newBuilder().setDataSource(source)))
            .build();
    ExecutePlanRequest request =
        ExecutePlanRequest.newBuilder()
            .setSessionId(session)
            .setUserContext(UserContext.newBuilder().setUserId("tester"))
            .setPlan(
                Plan.newBuilder()
                    .setCommand(
                        Command.newBuilder().setMlCommand(MlCommand.newBuilder().setFit(fit))))
            .build();
    boolean hasModel = false;
    for (var answers = SparkConnectServiceGrpc.newBlockingStub(channel).executePlan(request);
        answers.hasNext(); ) {
      ExecutePlanResponse answer = answers.next();
      hasModel |= answer.hasMlCommandResult();
    }
    assertThat(hasModel).as(estimator).isTrue();
  }
}
