package io.sparkata.lab.cluster;

import io.sparkata.lab.cluster.UnevenCluster.Plan;
import java.nio.file.Path;

/** A program that submits an application to a fake cluster, for a test that interrupts it. */
final class InterruptedCluster {
  private InterruptedCluster() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    FakeProject fake = new FakeProject(root);
    fake.on("submit", "echo $$ >$root/pid; sleep 600");
    Plan plan =
        Plan.standalone(
            root.resolve("target/x"), RelativeSpeeds.parse("2,1"), /* executorMib= */ 1);
    try (UnevenCluster cluster = UnevenCluster.start(plan)) {
      cluster.run(cluster.submission("my.Main").program());
    }
  }
}
