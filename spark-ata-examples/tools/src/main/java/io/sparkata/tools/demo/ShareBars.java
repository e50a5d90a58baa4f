package io.sparkata.tools.demo;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The executors' shares of the samples as text, in the order of their CPU shares. */
final class ShareBars {
  /** Characters of all bars together. */
  private static final int WIDTH = 32;

  private static final int LEAST_WIDTH = 4;

  /** The part of its bar that an even share fills. */
  private static final double EVEN_FILLS = 0.4;

  private ShareBars() {}

  /**
   * For each executor its CPU share, a bar and its part of the samples, such as {@code 8x ####
   * 50%}. A part too large for its bar fills it.
   *
   * @param samples by executor id
   */
  static String bars(UnevenExecutors executors, Map<String, Long> samples) {
    List<Double> counts = executors.inOrder(samples);
    List<String> ids = executors.ids();
    int width = Math.max(LEAST_WIDTH, WIDTH / ids.size());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ids.size(); i++) {
      double part = part(counts, i);
      int filled = (int) Math.min(width, Math.round(part * ids.size() * EVEN_FILLS * width));
      text.append(i == 0 ? "" : "  ")
          .append(executors.name(ids.get(i)))
          .append(' ')
          .append("#".repeat(filled))
          .append(" ".repeat(width - filled))
          .append(String.format(Locale.ROOT, " %3.0f%%", 100 * part));
    }
    return text.toString();
  }

  /** The parts in percent, such as {@code 53:27:13:7}. */
  static String percents(UnevenExecutors executors, Map<String, ? extends Number> samples) {
    List<Double> counts = executors.inOrder(samples);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < counts.size(); i++) {
      text.append(i == 0 ? "" : ":").append(Math.round(100 * part(counts, i)));
    }
    return text.toString();
  }

  private static double part(List<Double> counts, int i) {
    double total = counts.stream().mapToDouble(Double::doubleValue).sum();
    return total == 0 ? 0 : counts.get(i) / total;
  }
}
