package io.sparkata.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedSuiteTest {
  @Test
  void name_ofEachSuite_isItsLibraryAndClassAndUnique() {
    assertThat(PublishedSuite.ALL)
        .extracting(PublishedSuite::name)
        .doesNotHaveDuplicates()
        .contains("ml.LogisticRegressionSuite", "mllib.LogisticRegressionSuite", "ml.ANNSuite");
  }

  @Test
  void isCalled_byNameOrClass_isTrue() {
    PublishedSuite suite =
        PublishedSuite.ALL.stream()
            .filter(each -> each.name().equals("ml.LogisticRegressionSuite"))
            .findFirst()
            .orElseThrow();
    assertThat(suite.isCalled("ml.LogisticRegressionSuite")).isTrue();
    assertThat(suite.isCalled("LogisticRegressionSuite")).isTrue();
    assertThat(suite.isCalled("mllib.LogisticRegressionSuite")).isFalse();
    assertThat(suite.isCalled("RegressionSuite")).isFalse();
  }
}
