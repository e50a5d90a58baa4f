package io.sparkata;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the packages to the arrows of docs/architecture.md. */
class PackagesTest {
  private static final String ROOT = "io.sparkata";

  /** By package, the packages of ours that it may use; "" is the root, the public doors. */
  private static final Map<String, List<String>> USES =
      Map.ofEntries(
          Map.entry(
              "",
              List.of(
                  "gate",
                  "routing",
                  "training",
                  "objective",
                  "cluster",
                  "config",
                  "report",
                  "kernel",
                  "allocation",
                  "rounds",
                  "cache",
                  "ui",
                  "whatif",
                  "spark")),
          Map.entry("gate", List.of()),
          Map.entry("routing", List.of("gate", "cluster", "config", "report", "events", "spark")),
          Map.entry(
              "training",
              List.of(
                  "routing",
                  "rounds",
                  "rounds.crew",
                  "blocks",
                  "kernel",
                  "cluster",
                  "observation",
                  "report",
                  "config",
                  "gate",
                  "spark")),
          Map.entry(
              "objective",
              List.of(
                  "rounds",
                  "rounds.crew",
                  "blocks",
                  "kernel",
                  "cluster",
                  "routing",
                  "observation",
                  "config",
                  "report",
                  "gate",
                  "spark")),
          Map.entry(
              "rounds",
              List.of(
                  "placement",
                  "blocks",
                  "cluster",
                  "memory",
                  "report",
                  "allocation",
                  "gate",
                  "spark")),
          Map.entry("rounds.job", List.of("rounds", "blocks", "cluster", "spark")),
          Map.entry(
              "rounds.crew",
              List.of(
                  "rounds",
                  "rounds.job",
                  "blocks",
                  "cluster",
                  "config",
                  "report",
                  "gate",
                  "spark")),
          Map.entry("placement", List.of("blocks", "cluster")),
          Map.entry("kernel", List.of("blocks", "gate")),
          Map.entry("blocks", List.of("spark")),
          Map.entry(
              "cluster", List.of("config", "memory", "observation", "report", "gate", "spark")),
          Map.entry("observation", List.of("report", "events", "gate", "spark")),
          Map.entry("report", List.of("events", "config", "gate")),
          Map.entry(
              "cache", List.of("cluster", "observation", "report", "events", "gate", "spark")),
          Map.entry("ui", List.of("events", "gate", "report", "spark")),
          Map.entry("whatif", List.of("cache", "observation", "report", "events", "ui", "spark")),
          Map.entry("events", List.of()),
          Map.entry("config", List.of("allocation", "kernel")),
          Map.entry("memory", List.of("gate")),
          Map.entry("spark", List.of()));

  private static final JavaClasses PLUGIN =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages(ROOT);

  /** Methods of Java and of Spark that make temporary files, or say where. */
  private static final Pattern TEMPORARY =
      Pattern.compile("createTemp.*|tempFileWith|get(Configured)?LocalDirs?|localDirs.*");

  static List<String> packages() {
    return USES.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void classes_ofThePackage_useAllowedPackagesOnly(String name) {
    classes()
        .that(liveIn(List.of(name)))
        .should()
        .onlyDependOnClassesThat(
            liveIn(USES.get(name))
                .or(liveIn(List.of(name)))
                .or(
                    DescribedPredicate.describe(
                        "others' classes", type -> !type.getPackageName().startsWith(ROOT))))
        .check(PLUGIN);
  }

  @Test
  void classes_always_liveInAPackageWithArrows() {
    TreeSet<String> found = new TreeSet<>();
    PLUGIN.forEach(type -> found.add(packageOf(type)));
    found.removeAll(List.of("allocation", "simulation")); // tests of their module hold them

    assertThat(found).containsExactlyElementsOf(packages());
  }

  @Test
  void packages_always_haveNoCycle() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(PLUGIN);
  }

  /** So nothing of ours is left in java.io.tmpdir and spark.local.dir but blocks. */
  @Test
  void classes_always_makeNoTemporaryFile() {
    noClasses()
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "makes a temporary file",
                access -> TEMPORARY.matcher(access.getTarget().getName()).matches()))
        .check(PLUGIN);
  }

  private static DescribedPredicate<JavaClass> liveIn(List<String> names) {
    return DescribedPredicate.describe(
        "live in one of " + names,
        type ->
            (type.getPackageName() + ".").startsWith(ROOT + ".")
                && names.contains(packageOf(type)));
  }

  /** The name below the root. */
  private static String packageOf(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }
}
