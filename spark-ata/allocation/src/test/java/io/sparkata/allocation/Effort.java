package io.sparkata.allocation;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How much to run, and who is compared.
 *
 * @param seeds of a long run; short runs get more
 * @param isQuick whether the longest runs are left out
 * @param ownPolicy class name of a caller's policy, a column more in the tables
 */
record Effort(int seeds, boolean isQuick, Optional<String> ownPolicy) {

  /** Seeds of runs of this many rounds: runs of 100 rounds vary most. */
  int seeds(long rounds) {
    return rounds <= 200 ? 10 * seeds : rounds <= 1_000 ? 2 * seeds : seeds;
  }

  /** The bare policies, as in the paper. */
  List<NamedContender> policies() {
    return withOwn(NamedContender.POLICIES.stream(), NamedContender::policy);
  }

  /** Those that learn, as the scheduler drives them. */
  List<NamedContender> learners() {
    return withOwn(
        NamedContender.POLICIES.stream()
            .map(NamedContender::name)
            .filter(id -> !AllocationPolicies.needsMeans(id))
            .map(NamedContender::scheduled),
        NamedContender::scheduled);
  }

  /** The column of a caller's policy: its class without the package. */
  static String column(String className) {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private List<NamedContender> withOwn(
      Stream<NamedContender> builtIn, Function<String, NamedContender> maker) {
    return Stream.concat(
            builtIn,
            ownPolicy.stream()
                .map(own -> new NamedContender(column(own), maker.apply(own).starter())))
        .toList();
  }
}
