package io.sparkata.tools.paper;

import io.sparkata.allocation.AllocationPolicies;
import io.sparkata.allocation.PolicySettings;
import io.sparkata.simulation.Contender;
import io.sparkata.simulation.Scenario;
import java.awt.Color;

/**
 * The paper's five methods with the constants of the authors' runs, and this project's own. Colours
 * are Okabe and Ito's, which the colour-blind can tell apart.
 */
enum Method {
  GREEDY("greedy", "GTA (greedy)", 0xCC79A7),
  OPTIMAL_FIXED("optimal-fixed", "OFTA (optimal-fixed)", 0x009E73),
  ATA_EMPIRICAL("ata-empirical", "ATA-Empirical", 0xD55E00),
  ATA("ata", "ATA", 0x0072B2),
  UNIFORM("uniform", "UTA (uniform)", 0xE69F00),
  ADAPTIVE("adaptive", "adaptive (ours)", 0x56B4E9);

  private final String id;
  private final String label;
  private final int rgb;

  Method(String id, String label, int rgb) {
    this.id = id;
    this.label = label;
    this.rgb = rgb;
  }

  String id() {
    return id;
  }

  String label() {
    return label;
  }

  Color color() {
    return new Color(rgb);
  }

  boolean isPublished() {
    return this != ADAPTIVE;
  }

  Contender contender(Scenario scenario, long seed) {
    PolicySettings settings = PolicySettings.defaults().withSeed(seed);
    return switch (this) {
      case GREEDY -> Contender.greedy();
      case OPTIMAL_FIXED -> Contender.optimalFixed();
      case ATA -> policy(settings.withAlpha(2 * largestMean(scenario)));
      case ATA_EMPIRICAL -> policy(settings.withEta(2));
      case UNIFORM, ADAPTIVE -> policy(settings);
    };
  }

  private Contender policy(PolicySettings settings) {
    return Contender.policy(AllocationPolicies.create(id, settings, Method.class.getClassLoader()));
  }

  private static double largestMean(Scenario scenario) {
    double largest = 0;
    for (int i = 0; i < scenario.law().workers(); i++) {
      largest = Math.max(largest, scenario.law().baseMean(i));
    }
    return largest;
  }
}
