package io.sparkata.lab.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceFactsTest {
  @ParameterizedTest
  @CsvSource({
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.42.01  Tue Jun 15 2021, 470.42.01",
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release, 580.65.06",
    "GCC version:  gcc version 12.3.0,"
  })
  void versionIn_textOfTheKernelsModule_isTheDrivers(String text, String version) {
    assertThat(DeviceFacts.versionIn(text)).isEqualTo(version);
  }
}
