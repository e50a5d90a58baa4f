package io.sparkata.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocationPoliciesTest {

  private static final String IDS =
      "one of adaptive, ata, ata-empirical, optimal-fixed, proportional, proportional-control,"
          + " self-adaptive, static, uniform, or a class name";
  private static final PolicySettings SETTINGS = PolicySettings.defaults().withSeed(7);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "adaptive",
        "ata",
        "ata-empirical",
        "proportional",
        "proportional-control",
        "self-adaptive",
        "uniform"
      })
  void allocate_nobodyMeasured_splitsEvenly(String id) {
    AllocationPolicy policy = AllocationPolicies.create(id, SETTINGS, null);

    assertThat(policy.allocate(PlayedRound.WORKERS, 96)).containsExactly(32, 32, 32);
    assertThat(policy.allocate(PlayedRound.WORKERS, 0)).containsOnly(0);
  }

  @Test
  void ids_always_areSorted() {
    assertThat(AllocationPolicies.ids())
        .isSorted()
        .containsExactly(
            "adaptive",
            "ata",
            "ata-empirical",
            "optimal-fixed",
            "proportional",
            "proportional-control",
            "self-adaptive",
            "static",
            "uniform");
  }

  static List<String> ids() {
    return AllocationPolicies.ids();
  }

  @ParameterizedTest
  @MethodSource("ids")
  void create_id_hasThatId(String id) {
    assertThat(create(id).id()).isEqualTo(id);
  }

  @Test
  void create_classTakingSettings_handsThemOver() {
    assertThat(create(TakesSettings.class.getName()))
        .isInstanceOfSatisfying(
            TakesSettings.class, policy -> assertThat(policy.settings).isEqualTo(SETTINGS));
  }

  @Test
  void create_classTakingNothing_isInstantiated() {
    assertThat(create(TakesNothing.class.getName())).isInstanceOf(TakesNothing.class);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "foo", "ATA", "io/sparkata/allocation/Checks"})
  void create_unknown_throwsWithTheIds(String value) {
    assertThatThrownBy(() -> create(value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid spark.ata.policy: '" + value + "' (" + IDS + ")");
  }

  @Test
  void create_missingClass_throwsThatItIsNotOnTheClassPath() {
    assertThatThrownBy(() -> create("org.example.Missing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid spark.ata.policy: 'org.example.Missing' (this class is not on the class path."
                + " Set spark.jars=<its jar>)");
  }

  @Test
  void create_greedy_throwsThatItIsNoAllocation() {
    assertThatThrownBy(() -> create("greedy"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid spark.ata.policy: 'greedy' (it drops work, so it is no allocation; "
                + IDS
                + ")");
  }

  @ParameterizedTest
  @MethodSource("ids")
  void needsMeans_builtIn_isTrueForThoseThatLearnNothing(String id) {
    assertThat(AllocationPolicies.needsMeans(id))
        .isEqualTo(id.equals("optimal-fixed") || id.equals("static"));
    assertThat(AllocationPolicies.needsMeans(null)).isFalse();
  }

  @Test
  void create_classThatIsNoPolicy_throws() {
    assertRejected(String.class, "must implement io.sparkata.allocation.AllocationPolicy");
  }

  @Test
  void create_classThatIsNotPublicOrAbstract_throws() {
    assertRejected(UniformPolicy.class, "must be a public class that is not abstract");
    assertRejected(AllocationPolicy.class, "must be a public class that is not abstract");
  }

  @Test
  void create_classWithoutFittingConstructor_throws() {
    assertRejected(
        TakesString.class, "must have a public constructor taking PolicySettings or none");
  }

  @Test
  void create_constructorThrows_throwsWithItsReason() {
    assertRejected(
        Throws.class, "its constructor must not throw: java.lang.IllegalStateException: too tired");
  }

  @Test
  void create_initializerThrows_throwsWithTheError() {
    assertRejected(
        ThrowsEarly.class,
        "must be possible to instantiate: java.lang.ExceptionInInitializerError");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void withWidth_invalid_throws(double width) {
    assertThatThrownBy(() -> PolicySettings.defaults().withWidth(width))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid width: " + width + " (greater than 0 and finite)");
  }

  @Test
  void defaults_changed_keepsTheRest() {
    PolicySettings changed = PolicySettings.defaults().withWidth(0.5).withSeed(3);

    assertThat(changed.seed()).isEqualTo(3);
    assertThat(changed.width()).hasValue(0.5);
    assertThat(PolicySettings.defaults().width()).isEmpty();
  }

  private static void assertRejected(Class<?> type, String rule) {
    assertThatThrownBy(() -> create(type.getName()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid spark.ata.policy: '" + type.getName() + "' (" + rule + ")");
  }

  private static AllocationPolicy create(String value) {
    return AllocationPolicies.create(
        value, SETTINGS, AllocationPoliciesTest.class.getClassLoader());
  }

  abstract static class Base implements AllocationPolicy {

    @Override
    public String id() {
      return "mine";
    }

    @Override
    public int[] allocate(List<String> workers, int budget) {
      return new int[workers.size()];
    }

    @Override
    public void observe(String worker, double units, double time) {}

    @Override
    public double meanTime(String worker) {
      return Double.NaN;
    }
  }

  /** Also has the other constructor, which must not be chosen. */
  public static final class TakesSettings extends Base {

    final PolicySettings settings;

    public TakesSettings() {
      this(PolicySettings.defaults());
    }

    public TakesSettings(PolicySettings settings) {
      this.settings = settings;
    }
  }

  public static final class TakesNothing extends Base {}

  public static final class TakesString extends Base {

    public TakesString(String unused) {}
  }

  public static final class Throws extends Base {

    public Throws() {
      throw new IllegalStateException("too tired");
    }
  }

  public static final class ThrowsEarly extends Base {

    static final int NUMBER = Integer.parseInt("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "adaptive"})
  void allocate_invalidRound_throws(String id) {
    AllocationPolicy policy = AllocationPolicies.create(id, PolicySettings.defaults(), null);

    assertThatThrownBy(() -> policy.allocate(List.of(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid workers: [] (at least one)");
    assertThatThrownBy(() -> policy.allocate(List.of("a"), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid budget: -1 (at least 0 units)");
  }
}
