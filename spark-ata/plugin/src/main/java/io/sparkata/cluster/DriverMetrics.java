package io.sparkata.cluster;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.sparkata.observation.Observer;
import io.sparkata.report.Totals;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Spark's metrics of a driver, for its sinks; docs/monitoring.md lists them. */
public final class DriverMetrics {
  private DriverMetrics() {}

  /** Adds the metrics, which are read from then on. */
  public static void register(MetricRegistry registry, AtaRuntime runtime) {
    Totals trained = runtime.reporter().totals();
    Totals totals = runtime.observer().map(Observer::totals).orElse(trained);
    add(registry, "trainings", sum(runtime, counters -> counters.calls));
    add(registry, "leftToSpark", trained::left);
    add(registry, "fallbacks", sum(runtime, counters -> counters.fallbacks));
    add(registry, "rounds", sum(runtime, counters -> counters.rounds));
    add(registry, "roundsByMessage", sum(runtime, counters -> counters.residentRounds));
    add(registry, "blocksMoved", sum(runtime, counters -> counters.keptReplicas));
    add(registry, "roundSeconds", totals::secondsInRounds);
    add(registry, "packSeconds", totals::secondsInPacking);
    add(registry, "savedSeconds", () -> totals.saved().seconds());
    registry.register(/* name= */ "", runtime.reporter().registry());
  }

  private static Supplier<Long> sum(AtaRuntime runtime, Function<Counters, AtomicLong> counter) {
    return () ->
        counter.apply(runtime.counters()).get() + counter.apply(runtime.evaluations()).get();
  }

  private static <T> void add(MetricRegistry registry, String name, Supplier<T> value) {
    Gauge<T> gauge = value::get;
    registry.register(name, gauge);
  }
}
