package io.sparkata.lab.paper;

import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A line of the figures: one of the paper's five methods, this project's own, or a policy of the
 * reader's. Colours are Okabe and Ito's, which the colour-blind can tell apart.
 *
 * @param id of the policy, or its class name
 */
public record Method(String id, String label, Color color) {
  static final Method GREEDY = new Method("greedy", "GTA (greedy)", new Color(0xCC79A7));
  static final Method OPTIMAL_FIXED =
      new Method("optimal-fixed", "OFTA (optimal-fixed)", new Color(0x009E73));
  static final Method ATA_EMPIRICAL =
      new Method("ata-empirical", "ATA-Empirical", new Color(0xD55E00));
  static final Method ATA = new Method("ata", "ATA", new Color(0x0072B2));
  static final Method UNIFORM = new Method("uniform", "UTA (uniform)", new Color(0xE69F00));
  static final Method ADAPTIVE = new Method("adaptive", "adaptive (ours)", new Color(0x56B4E9));

  /** The paper's, and this project's. */
  public static final List<Method> BUILT_IN =
      List.of(GREEDY, OPTIMAL_FIXED, ATA_EMPIRICAL, ATA, UNIFORM, ADAPTIVE);

  /** Their colours by their labels. */
  static Map<String, Color> legend(List<Method> methods) {
    Map<String, Color> colors = new LinkedHashMap<>();
    methods.forEach(method -> colors.put(method.label(), method.color()));
    return colors;
  }

  /** A built-in method by its id, or a policy of the reader's by the name of its class. */
  public static Method of(String policy) {
    String label = policy.substring(policy.lastIndexOf('.') + 1) + " (yours)";
    return BUILT_IN.stream()
        .filter(method -> method.id().equals(policy))
        .findFirst()
        .orElseGet(() -> new Method(policy, label, Color.BLACK));
  }
}
