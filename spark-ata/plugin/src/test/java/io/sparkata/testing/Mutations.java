package io.sparkata.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

/** Text that is nearly what a reader expects, by a seed. */
public final class Mutations {
  private static final List<String> ODD =
      List.of(
          "null",
          "-1",
          "0",
          "1e999",
          "NaN",
          "99999999999999999999",
          "-9223372036854775808",
          "\"\"",
          "{}",
          "[]",
          "{",
          "}",
          "]",
          "\"",
          "\\",
          "\u0000",
          "\n",
          "\\u0000",
          "true",
          "[".repeat(5000),
          "{\"a\":".repeat(5000),
          "x".repeat(20_000));

  private Mutations() {}

  /** How many are tried: of the property {@code ata.fuzz.tries} if it is set. */
  public static int tries(int usual) {
    return Integer.getInteger("ata.fuzz.tries", usual);
  }

  /** The text with one to five changes. */
  public static byte[] of(String text, long seed) {
    Random random = new Random(seed);
    byte[] bytes = text.getBytes(UTF_8);
    for (int change = random.nextInt(5); change >= 0; change--) {
      bytes = changed(bytes, random);
    }
    return bytes;
  }

  private static byte[] changed(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + random.nextInt(1 + random.nextInt(40)));
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    changed.write(bytes, 0, from);
    switch (random.nextInt(5)) {
      case 0 -> {} // left out
      case 1 -> changed.writeBytes(ODD.get(random.nextInt(ODD.size())).getBytes(UTF_8));
      case 2 -> { // twice
        changed.write(bytes, from, to - from);
        changed.write(bytes, from, to - from);
      }
      case 3 -> {
        for (int i = from; i < to; i++) {
          changed.write(random.nextInt(256));
        }
      }
      default -> { // ends here
        return changed.toByteArray();
      }
    }
    changed.write(bytes, to, bytes.length - to);
    return changed.toByteArray();
  }
}
