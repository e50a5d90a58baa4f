package io.sparkata.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the gate reads and compares; GateIT shows it at work. */
@Tag("spark")
class GateTest {
  private static final ClassLoader LOADER = GateTest.class.getClassLoader();

  /** Finds all that the tests' loader finds, but one class file. */
  private static final class Without extends ClassLoader {
    private final String absent;

    Without(String absent) {
      super(LOADER);
      this.absent = absent;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      return name.equals(absent) ? null : super.getResourceAsStream(name);
    }
  }

  @ParameterizedTest
  @CsvSource({"1.8,8", "9,9", "11,11", "17,17", "25,25"})
  void javaVersion_anySpecification_isTheMajorOne(String specification, int version) {
    assertThat(Gate.javaVersion(specification)).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({"2.12.18,2.12", "2.13.8,2.13", "3.3.1,3"})
  void binaryVersion_anyScala_isThatOfArtifacts(String scala, String version) {
    assertThat(Gate.binaryVersion(scala)).isEqualTo(version);
  }

  @Test
  void ofSpark_theOneOfTheTests_fits() {
    Gate gate = new Gate(Build.read(), LOADER);
    assertThat(gate.ofPlatform()).isEmpty();
    assertThat(gate.ofSpark("any")).isEmpty();
  }

  @Test
  void missing_aClassLess_isNamedWithItsMembers() {
    assertThat(new LinkCheck(LOADER).missing()).isEmpty();

    List<String> missing =
        new LinkCheck(new Without("org/apache/spark/storage/RDDBlockId.class")).missing();

    assertThat(missing)
        .contains(
            "org.apache.spark.storage.RDDBlockId",
            "org.apache.spark.storage.RDDBlockId.<init>(int, int)")
        .allMatch(name -> name.startsWith("org.apache.spark.storage.RDDBlockId"));
  }

  /** Members of a superclass are found through it only. */
  @Test
  void missing_aParentLess_namesWhatIsInheritedFromIt() {
    List<String> missing =
        new LinkCheck(new Without("org/apache/spark/scheduler/TaskScheduler.class")).missing();
    assertThat(missing).noneMatch(name -> name.contains("TaskSchedulerImpl"));
    missing = new LinkCheck(new Without("scala/collection/Iterator.class")).missing();
    assertThat(missing).contains("scala.collection.Iterator.hasNext()");
  }

  @ParameterizedTest
  @CsvSource({"3.5.6-amzn-2", "4.1.1.5-20260101", "5.0.0"})
  void noteOn_aVersionWithoutTests_saysSo(String spark) {
    Gate gate = new Gate(Build.read(), LOADER);
    assertThat(gate.noteOn(spark))
        .isEqualTo(" (not tested with Spark " + spark + "; self-test passed)");
    assertThat(gate.noteOn(Build.read().spark())).isEmpty();
    assertThat(Build.read().testedSparks()).contains(Build.read().spark());
  }

  @Test
  void rethrowFatal_anyError_passesOnWhatEndsTheJvmOrTheThread() {
    for (Throwable handled :
        List.of(
            new AssertionError(), new StackOverflowError(), new LinkageError(), new Exception())) {
      Trouble.rethrowFatal(handled);
    }
    for (Throwable fatal :
        List.of(
            new OutOfMemoryError(),
            new InterruptedException(),
            new InterruptedException("again"))) {
      assertThatThrownBy(() -> Trouble.rethrowFatal(fatal)).isSameAs(fatal);
    }
  }
}
