package io.sparkata.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockManagerMessages.GetBlockStatus;
import org.apache.spark.storage.RDDBlockId;
import scala.Tuple2;
import scala.concurrent.Future;
import scala.reflect.ClassTag$;

/** Asks executors whether they are there. Driver only. */
public final class LifeSigns {
  private LifeSigns() {}

  /**
   * Asks the block manager of each executor for a block that does not exist, as Spark's master may;
   * does not wait for answers. A process that is stopped does not answer.
   *
   * @return whether it has answered, by executor
   */
  public static Map<String, BooleanSupplier> ask(SparkContext context) {
    scala.collection.immutable.Map<BlockManagerId, Future<?>> asked =
        context
            .env()
            .blockManager()
            .master()
            .driverEndpoint()
            .askSync(
                new GetBlockStatus(new RDDBlockId(-1, 0), /* askStorageEndpoints= */ true),
                ClassTag$.MODULE$.apply(scala.collection.immutable.Map.class));
    Map<String, BooleanSupplier> answers = new HashMap<>();
    for (Tuple2<BlockManagerId, Future<?>> one : Scala.each(asked)) {
      if (!one._1().isDriver()) {
        answers.put(one._1().executorId(), one._2()::isCompleted);
      }
    }
    return answers;
  }
}
