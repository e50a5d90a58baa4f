package io.sparkata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.config.AtaConf;
import io.sparkata.config.Route;
import io.sparkata.routing.WeavePoint;
import io.sparkata.testing.Bytecode;
import io.sparkata.testing.CapturedLog;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.SparkConf;
import org.apache.spark.ml.Predictor;
import org.apache.spark.ml.util.Instrumentation;
import org.apache.spark.mllib.optimization.GradientDescent$;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Routes where one of the woven methods has another signature, as a vendor's Spark may have. */
@Tag("spark")
class RoutesTest {
  private static final Routes.Seam TRAININGS = seam(WeavePoint.GRADIENT_DESCENT);
  private static final Routes.Seam SUMS = seam(WeavePoint.TREE_AGGREGATE);
  private static final Routes.Seam VENDORS_TRAININGS = vendors(WeavePoint.GRADIENT_DESCENT);
  private static final Routes.Seam VENDORS_SUMS = vendors(WeavePoint.TREE_AGGREGATE);
  private static final String VENDORS_SUMS_MESSAGE =
      "Spark ATA: cannot route lbfgs (org.apache.spark.rdd.RDD has no method treeAggregate(I)V)."
          + " Spark alone runs these trainings; AtaGradientDescent is not affected. Set"
          + " spark.ata.route=gradientDescent";

  @Test
  void open_bothFit_opensBothUntilClosed() throws Exception {
    try (Routes routes = Routes.open(conf(), seams(TRAININGS, SUMS))) {
      assertThat(routes).hasToString("gradientDescent,lbfgs");
      assertWoven(true, true);
    }
    assertWoven(false, false);
  }

  @Test
  void open_treeAggregateUnfit_warnsOnceAndOpensTheOther() throws Exception {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        Routes routes = Routes.open(conf(), seams(TRAININGS, VENDORS_SUMS))) {
      assertThat(log.messages(Level.WARN)).containsExactly(VENDORS_SUMS_MESSAGE);
      assertThat(routes).hasToString("gradientDescent");
      assertWoven(true, false);
    }
    assertWoven(false, false);
  }

  @Test
  void open_gradientDescentUnfit_warnsOnceAndOpensTheOther() throws Exception {
    try (CapturedLog log = CapturedLog.of("io.sparkata");
        Routes routes = Routes.open(conf(), seams(VENDORS_TRAININGS, SUMS))) {
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("Spark ATA: cannot route gradientDescent (")
          .endsWith("Set spark.ata.route=lbfgs");
      assertThat(routes).hasToString("lbfgs");
      assertWoven(false, true);
    }
    assertWoven(false, false);
  }

  @Test
  void open_treeAggregateUnfitAndOnErrorFail_throwsAndClosesTheOther() throws Exception {
    AtaConf conf = AtaConf.of(new SparkConf(false).set("spark.ata.onError", "fail"));

    assertThatThrownBy(() -> Routes.open(conf, seams(TRAININGS, VENDORS_SUMS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(VENDORS_SUMS_MESSAGE);
    assertWoven(false, false);
  }

  /** A required GPU ends a training that MLlib would run; sums of L-BFGS run on CPUs anyway. */
  @Test
  void open_unfitAndGpuRequired_throwsForGradientDescentOnly() throws Exception {
    AtaConf conf = AtaConf.of(new SparkConf(false).set("spark.ata.gpu", "required"));

    try (Routes routes = Routes.open(conf, seams(TRAININGS, VENDORS_SUMS))) {
      assertThat(routes).hasToString("gradientDescent");
    }
    assertThatThrownBy(() -> Routes.open(conf, seams(VENDORS_TRAININGS, SUMS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Spark ATA: cannot route gradientDescent (");
    assertWoven(false, false);
  }

  @Test
  void open_none_changesNothing() throws Exception {
    AtaConf conf = AtaConf.of(new SparkConf(false).set("spark.ata.route", "none"));

    try (Routes routes = Routes.open(conf, seams(TRAININGS, SUMS))) {
      assertThat(routes).hasToString("none");
      assertWoven(false, false);
    }
  }

  private static void assertWoven(boolean isGradientDescent, boolean isTreeAggregate)
      throws Exception {
    assertThat(Bytecode.isWoven(GradientDescent$.class)).isEqualTo(isGradientDescent);
    assertThat(Bytecode.isWoven(RDD.class)).isEqualTo(isTreeAggregate);
    boolean isAny = isGradientDescent || isTreeAggregate;
    assertThat(Bytecode.isWoven(Predictor.class)).as("fits of predictors").isEqualTo(isAny);
    assertThat(Bytecode.isWoven(Instrumentation.class)).as("fits of others").isEqualTo(isAny);
  }

  private static AtaConf conf() {
    return AtaConf.of(new SparkConf(false));
  }

  private static Map<Route, Routes.Seam> seams(Routes.Seam trainings, Routes.Seam sums) {
    return Map.of(Route.GRADIENT_DESCENT, trainings, Route.LBFGS, sums);
  }

  private static Routes.Seam vendors(WeavePoint point) {
    return seam(new WeavePoint(point.type(), point.method(), "(I)V"));
  }

  private static Routes.Seam seam(WeavePoint point) {
    return new Routes.Seam(point, (callee, arguments) -> null);
  }
}
