package io.sparkata.lab.cold;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the sides train; {@link ColdTrainings} has the trainings. Knows no Spark. */
public enum ColdWork {
  FLIGHTS("spark.ml LogisticRegression by L-BFGS", 20),
  FLIGHTS_SGD("MLlib gradient descent, logistic loss", 40),
  LOGISTIC_DENSE("spark.ml LogisticRegression by L-BFGS, 100 classes", 15),
  LINEAR_SVC("spark.ml LinearSVC by OWL-QN", 15),
  OWN_GRADIENT("MLlib gradient descent, a gradient of your own, 10 classes", 40);

  private final String title;
  private final int iterations;

  ColdWork(String title, int iterations) {
    this.title = title;
    this.iterations = iterations;
  }

  /** The name on the command line and in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(ColdWork::id).toList();
  }

  static Optional<ColdWork> of(String id) {
    return Arrays.stream(values()).filter(one -> one.id().equals(id)).findFirst();
  }

  /** The name in tables. */
  public String title() {
    return title;
  }

  /** So many unless the caller asks for others. */
  public int iterations() {
    return iterations;
  }

  /** Whether its rows are flights, in a {@link FlightTable}. */
  boolean isOfFlights() {
    return this == FLIGHTS || this == FLIGHTS_SGD;
  }
}
