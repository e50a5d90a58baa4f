package io.sparkata.allocation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class AllocationArchitectureTest {

  @Test
  void classes_ofThisPackage_dependOnTheJdkOnly() {
    JavaClasses production =
        new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.sparkata.allocation");

    classes()
        .that()
        .resideInAPackage("io.sparkata.allocation")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.sparkata.allocation")
        .check(production);
  }

  @Test
  void allocationPolicy_always_hasSixMethods() {
    assertThat(AllocationPolicy.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsExactlyInAnyOrder(
            "id", "allocate", "observe", "observeAtLeast", "meanTime", "followsTimes");
  }
}
