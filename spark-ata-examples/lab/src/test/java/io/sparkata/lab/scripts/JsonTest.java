package io.sparkata.lab.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void of_nestedValues_keepsOrderAndKinds() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("up", true);
    map.put("cpus", new BigDecimal("1E+2"));
    map.put("none", null);
    map.put("dir", Path.of("/a/b"));
    map.put("workers", List.of(Map.of("pid", 7L), "x"));
    assertThat(Json.of(map))
        .isEqualTo(
            "{\"up\":true,\"cpus\":100,\"none\":null,\"dir\":\"/a/b\","
                + "\"workers\":[{\"pid\":7},\"x\"]}");
  }

  @Test
  void of_textWithSpecialCharacters_escapesThem() {
    assertThat(Json.of("a\"b\\c\nd\te\u0001")).isEqualTo("\"a\\\"b\\\\c\\nd\\te\\u0001\"");
  }
}
