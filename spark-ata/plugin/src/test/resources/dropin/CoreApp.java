import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Needs no MLlib. */
public final class CoreApp {
  private CoreApp() {}

  public static void main(String[] arguments) {
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("core"))) {
      System.out.println("counted " + spark.parallelize(Arrays.asList(1, 2, 3), 2).count());
    }
  }
}
