package io.sparkata.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class FirstFitTest {
  @Test
  void first_nothingAdded_isNone() {
    assertThat(new FirstFit(0).first(Long.MAX_VALUE)).isEqualTo(-1);
    assertThat(new FirstFit(5).first(Long.MAX_VALUE)).isEqualTo(-1);
  }

  @Property(tries = 300)
  void first_anySizes_isThatOfASearch(
      @ForAll @IntRange(min = 1, max = 40) int items, @ForAll long seed) {
    Random random = new Random(seed);
    FirstFit fit = new FirstFit(items);
    TreeMap<Integer, Long> model = new TreeMap<>();
    for (int step = 0; step < 100; step++) {
      int item = random.nextInt(items);
      if (random.nextBoolean()) {
        long size = random.nextInt(20);
        fit.add(item, size);
        model.put(item, size);
      } else {
        fit.remove(item);
        model.remove(item);
      }
      long room = random.nextInt(25) - 2L;
      assertThat(fit.first(room))
          .isEqualTo(
              model.keySet().stream().filter(i -> model.get(i) <= room).findFirst().orElse(-1));
      assertThat(fit.first(Long.MAX_VALUE)).isEqualTo(model.isEmpty() ? -1 : model.firstKey());
    }
  }
}
