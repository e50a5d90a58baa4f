package io.sparkata.lab.paper;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import java.awt.Color;
import java.util.List;

/**
 * One of the paper's five methods with the constants of the authors' runs, this project's own, or a
 * policy of the reader's. Colours are Okabe and Ito's, which the colour-blind can tell apart.
 *
 * @param id of the policy, or its class name
 * @param loader has that class
 */
record Method(String id, String label, int rgb, ClassLoader loader) {
  static final Method GREEDY = builtIn("greedy", "GTA (greedy)", 0xCC79A7);
  static final Method OPTIMAL_FIXED = builtIn("optimal-fixed", "OFTA (optimal-fixed)", 0x009E73);
  static final Method ATA_EMPIRICAL = builtIn("ata-empirical", "ATA-Empirical", 0xD55E00);
  static final Method ATA = builtIn("ata", "ATA", 0x0072B2);
  static final Method UNIFORM = builtIn("uniform", "UTA (uniform)", 0xE69F00);
  static final Method ADAPTIVE = builtIn("adaptive", "adaptive (ours)", 0x56B4E9);

  /** The paper's, and this project's. */
  static final List<Method> BUILT_IN =
      List.of(GREEDY, OPTIMAL_FIXED, ATA_EMPIRICAL, ATA, UNIFORM, ADAPTIVE);

  private static final int BLACK = 0;

  private static Method builtIn(String id, String label, int rgb) {
    return new Method(id, label, rgb, Method.class.getClassLoader());
  }

  /** A policy of the reader's, by the name of its class. */
  static Method own(String className, ClassLoader loader) {
    String label = className.substring(className.lastIndexOf('.') + 1) + " (yours)";
    return new Method(className, label, BLACK, loader);
  }

  Color color() {
    return new Color(rgb);
  }

  Contender contender(Scenario scenario, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    return switch (id) {
      case "greedy" -> Contender.greedy();
      case "optimal-fixed" -> Contender.optimalFixed();
      case "ata" -> policy(settings.withAlpha(2 * largestMean(scenario)));
      case "ata-empirical" -> policy(settings.withEta(2));
      default -> policy(settings);
    };
  }

  private Contender policy(PolicySettings settings) {
    return Contender.policy(AllocationPolicies.create(id, settings, loader));
  }

  private static double largestMean(Scenario scenario) {
    double largest = 0;
    for (int i = 0; i < scenario.law().workers(); i++) {
      largest = Math.max(largest, scenario.law().baseMean(i));
    }
    return largest;
  }
}
