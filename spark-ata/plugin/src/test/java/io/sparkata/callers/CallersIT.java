package io.sparkata.callers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkata.cluster.Counters;
import io.sparkata.testing.Leftovers;
import io.sparkata.testing.Mllib;
import io.sparkata.testing.TestCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.mllib.linalg.Vector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.Tuple2;

/**
 * Every caller of MLlib's gradient descent, unchanged: by stock MLlib in a context without the
 * plugin, then routed to three executor JVMs under wild allocations.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallersIT {
  private final Map<String, Tuple2<Vector, double[]>> stock = new LinkedHashMap<>();
  private TestCluster cluster;
  private Leftovers leftovers;

  static List<Caller> callers() {
    return Caller.all();
  }

  @BeforeAll
  void trainByStockMllib() {
    Mllib.withStock(spark -> callers().forEach(c -> stock.put(c.name(), c.train().apply(spark))));
    cluster =
        TestCluster.start(
            Map.of("spark.ata.route", "gradientDescent", "spark.ata.blockSize", "4k"));
    leftovers = Leftovers.watch(cluster.context());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @MethodSource("callers")
  void train_unchangedCaller_isRoutedAndGivesMllibsWeights(Caller caller) {
    Counters counters = cluster.counters();
    long routed = counters.routed.get();
    long rounds = counters.rounds.get();

    Tuple2<Vector, double[]> trained = caller.train().apply(cluster.context());

    assertThat(counters.routed.get() - routed).isEqualTo(caller.calls());
    assertThat(counters.rounds.get() - rounds).isGreaterThan(caller.calls());
    assertThat(counters.calls).hasValue(counters.routed.get());
    assertThat(counters.passedThrough).hasValue(0);
    assertThat(counters.fallbacks).hasValue(0);
    Mllib.assertSame(trained, stock.get(caller.name()));
    leftovers.assertNone(/* modelBytes= */ 8L * Caller.LARGE_MODEL);
  }
}
