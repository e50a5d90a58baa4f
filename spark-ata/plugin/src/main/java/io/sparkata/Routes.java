package io.sparkata;

import io.sparkata.config.AtaConf;
import io.sparkata.config.AtaKeys;
import io.sparkata.config.ConfEntry;
import io.sparkata.config.OnError;
import io.sparkata.config.Route;
import io.sparkata.objective.SumRoute;
import io.sparkata.routing.RoutingException;
import io.sparkata.routing.UnservedFits;
import io.sparkata.routing.WeavePoint;
import io.sparkata.routing.WovenRoute;
import io.sparkata.training.Trainer;
import java.lang.instrument.Instrumentation;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of one SparkContext. A route that cannot be opened leaves the others open. */
final class Routes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Routes.class);

  /** A woven method and what answers its calls. */
  record Seam(WeavePoint point, BiFunction<Object, Object[], Object> destination) {}

  private static final Map<Route, Seam> SEAMS =
      Map.of(
          Route.GRADIENT_DESCENT,
          new Seam(WeavePoint.GRADIENT_DESCENT, Trainer::runRouted),
          Route.LBFGS,
          new Seam(WeavePoint.TREE_AGGREGATE, SumRoute::runRouted));

  /** Methods that show which estimators fit; Spark's own body always runs. */
  private static final List<Seam> FITS =
      List.of(
          new Seam(WeavePoint.FIT, UnservedFits::enter),
          new Seam(WeavePoint.STAGE, UnservedFits::enterStage));

  private final Map<Route, WovenRoute> open = new EnumMap<>(Route.class);
  private final List<WovenRoute> fits = new ArrayList<>();
  private final AtaConf conf;

  private Routes(AtaConf conf) {
    this.conf = conf;
  }

  /**
   * Opens the configured routes; one WARN for what cannot be opened.
   *
   * @throws IllegalStateException instead of the WARN, with {@code spark.ata.onError=fail}
   */
  static Routes open(AtaConf conf) {
    return open(conf, SEAMS);
  }

  static Routes open(AtaConf conf, Map<Route, Seam> seams) {
    Routes routes = new Routes(conf);
    if (conf.routes().isEmpty()) {
      return routes;
    }
    Instrumentation instrumentation;
    try {
      instrumentation = WovenRoute.instrumentation();
    } catch (RoutingException forbidden) {
      routes.leaveShut(conf.routes(), forbidden, agentOption() + setting(Set.of()));
      return routes;
    }
    try {
      routes.weave(instrumentation, seams);
    } catch (Throwable error) {
      routes.close();
      throw error;
    }
    return routes;
  }

  private void weave(Instrumentation instrumentation, Map<Route, Seam> seams) {
    Set<Route> others = EnumSet.copyOf(conf.routes());
    for (Route route : conf.routes()) {
      Seam seam = seams.get(route);
      try {
        open.put(route, WovenRoute.open(instrumentation, seam.point(), seam.destination()));
      } catch (RoutingException unfit) {
        others.remove(route);
        leaveShut(Set.of(route), unfit, "Set " + setting(others));
      }
    }
    for (Seam seam : FITS) {
      try {
        fits.add(WovenRoute.open(instrumentation, seam.point(), seam.destination()));
      } catch (RoutingException unfit) {
        LOG.info("Spark ATA: some fits of spark.ml are not seen ({})", unfit.getMessage());
      }
    }
  }

  private void leaveShut(Set<Route> shut, RoutingException cause, String remedy) {
    String message =
        "Spark ATA: cannot route "
            + ConfEntry.textOf(shut)
            + " ("
            + cause.getMessage()
            + "). Spark alone runs these trainings; AtaGradientDescent is not affected. "
            + remedy;
    // Sums of LBFGS run on CPUs, whatever spark.ata.gpu requires.
    if (shut.contains(Route.GRADIENT_DESCENT)
        ? conf.failsOnTrouble()
        : conf.onError() == OnError.FAIL) {
      throw new IllegalStateException(message, cause);
    }
    LOG.warn(message, cause);
  }

  private static String setting(Set<Route> routes) {
    return AtaKeys.ROUTE.key() + "=" + ConfEntry.textOf(routes);
  }

  private static String agentOption() {
    String jar = "<path of the Spark ATA jar on the driver's machine>";
    CodeSource source = Routes.class.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation().getPath().endsWith(".jar")) {
      jar = source.getLocation().getPath();
    }
    return "Add --driver-java-options -javaagent:" + jar + " to spark-submit, or set ";
  }

  /** The open routes as a user writes them. */
  @Override
  public String toString() {
    return ConfEntry.textOf(open.keySet());
  }

  /** Restores Spark's bytecode. */
  @Override
  public void close() {
    open.values().forEach(WovenRoute::close);
    fits.forEach(WovenRoute::close);
  }
}
