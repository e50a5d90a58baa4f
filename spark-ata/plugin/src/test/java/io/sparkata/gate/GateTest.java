package io.sparkata.gate;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberRemoval;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the gate reads and compares; GateIT shows it at work. */
@Tag("spark")
class GateTest {
  private static final ClassLoader LOADER = GateTest.class.getClassLoader();

  /** Finds all that the tests' loader finds, but one class file, or that with less in it. */
  private static final class Without extends ClassLoader {
    private final String file;
    private final byte[] instead;

    Without(String file) {
      this(file, new byte[0]);
    }

    Without(String file, byte[] instead) {
      super(LOADER);
      this.file = file;
      this.instead = instead;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      if (!name.equals(file)) {
        return super.getResourceAsStream(name);
      }
      return instead.length == 0 ? null : new ByteArrayInputStream(instead);
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

  /** Our RoundRdd calls it on itself, so that our class files name it as their own. */
  @Test
  void missing_aMethodThatOursInherit_isNamed() {
    String parent = "org/apache/spark/rdd/RDD.class";
    byte[] patched =
        new ByteBuddy()
            .redefine(RDD.class)
            .visit(new MemberRemoval().stripMethods(named("setName").and(takesArguments(1))))
            .make()
            .getBytes();

    List<String> missing = new LinkCheck(new Without(parent, patched)).missing();

    assertThat(missing).contains("io.sparkata.rounds.job.RoundRdd.setName(String)");
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
