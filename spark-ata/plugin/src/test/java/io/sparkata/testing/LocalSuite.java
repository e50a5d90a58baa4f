package io.sparkata.testing;

import com.holdenkarau.spark.testing.JavaSuiteBase;
import com.holdenkarau.spark.testing.SharedJavaSparkContext;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Tests on one context in local mode, without the plugin unless {@link #conf} names it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LocalSuite extends JavaSuiteBase {
  @Override
  public SparkConf conf() {
    return new SparkConf()
        .setMaster("local[2]")
        .setAppName("spark-ata-test")
        .set("spark.ui.enabled", "false")
        .set("spark.driver.host", "127.0.0.1");
  }

  @BeforeAll
  protected void startSpark() {
    runBefore();
  }

  @AfterAll
  protected void stopSpark() {
    SharedJavaSparkContext.runAfterClass();
  }
}
