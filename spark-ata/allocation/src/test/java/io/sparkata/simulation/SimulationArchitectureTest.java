package io.sparkata.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class SimulationArchitectureTest {

  private final JavaClasses production =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .importPackages("io.sparkata.simulation");

  @Test
  void classes_ofThisPackage_dependOnTheJdkAndAllocationOnly() {
    classes()
        .that()
        .resideInAPackage("io.sparkata.simulation")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.sparkata.allocation", "io.sparkata.simulation")
        .check(production);
  }
}
