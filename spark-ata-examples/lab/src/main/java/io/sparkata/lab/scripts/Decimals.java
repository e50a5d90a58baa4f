package io.sparkata.lab.scripts;

import java.math.BigDecimal;
import java.math.MathContext;

/** Decimal numbers of the command line. */
final class Decimals {
  private static final String NUMBER = "([0-9]+(\\.[0-9]*)?|\\.[0-9]+)";

  private Decimals() {}

  /** Whether the text is digits with at most one point. */
  static boolean isNumber(String text) {
    return text.matches(NUMBER);
  }

  /** The shortest text of a number rounded to significant digits. */
  static String text(double number, int digits) {
    BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
