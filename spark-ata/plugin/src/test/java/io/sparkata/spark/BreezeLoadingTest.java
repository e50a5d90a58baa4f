package io.sparkata.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkata.testing.Fit;
import io.sparkata.testing.FitData;
import io.sparkata.testing.LocalSpark;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BreezeLoadingTest {
  private static final String THREAD = "spark-ata-breeze";

  @BeforeEach
  void asInANewJvm() {
    BreezeLoading.during(() -> null); // ends one that was interrupted
    BreezeLoading.isOver = false;
  }

  @Test
  void during_firstJob_waitsForTheClassesToo() {
    assertThat(BreezeLoading.isDue()).isTrue();

    assertThat(BreezeLoading.during(() -> "the job's result")).isEqualTo("the job's result");

    assertThat(BreezeLoading.isDue()).isFalse();
    assertThat(threads()).doesNotContain(THREAD);
  }

  @Test
  void during_firstJobFails_waitsForTheClassesAndThrows() {
    assertThatThrownBy(
            () ->
                BreezeLoading.during(
                    () -> {
                      throw new IllegalStateException("the job's failure");
                    }))
        .hasMessage("the job's failure");
    assertThat(threads()).doesNotContain(THREAD);
  }

  @Test
  void during_interrupted_doesNotWaitAndStaysInterrupted() {
    BreezeLoading.during(
        () -> {
          Thread.currentThread().interrupt();
          return null;
        });

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void during_laterJob_loadsNothing() {
    BreezeLoading.during(() -> null);

    assertThat(BreezeLoading.during(BreezeLoadingTest::threads)).doesNotContain(THREAD);
  }

  /** By spark.ml's summarizer, before the optimizer begins. */
  @ParameterizedTest
  @EnumSource(names = {"LOGISTIC", "LINEAR_SVC"})
  @Tag("spark")
  void fit_first_loadsThem(Fit fit) {
    try (JavaSparkContext spark = LocalSpark.start(Map.of("spark.ata.route", "lbfgs"))) {
      FitData data =
          FitData.even(
              spark, 4, /* sparse= */ false, FitData.SMALL_BLOCKS, 60, /* partitions= */ 2);
      fit.train(data, Fit.Terms.PLAIN, /* iterations= */ 1);

      assertThat(BreezeLoading.isDue()).isFalse();
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }
}
