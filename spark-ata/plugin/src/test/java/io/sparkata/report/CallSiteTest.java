package io.sparkata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CallSiteTest {
  private static final String MLLIB = "org.apache.spark.mllib.";

  @Test
  void of_staticTrain_isItsNameAndTheUsersLine() {
    assertThat(
            siteOf(
                "io.sparkata.report.CallSite.ofThisThread CallSite.java 30",
                "io.sparkata.training.Trainer.runRouted Trainer.java 80",
                MLLIB + "optimization.GradientDescent$.runMiniBatchSGD GradientDescent.scala 200",
                MLLIB + "regression.GeneralizedLinearAlgorithm.run G.scala 300",
                MLLIB + "classification.SVMWithSGD$.train SVM.scala 200",
                MLLIB + "classification.SVMWithSGD.train SVM.scala -1",
                "com.example.App.main App.java 31",
                "com.example.Launcher.main Launcher.java 5"))
        .isEqualTo("SVMWithSGD.train at App.java:31");
  }

  @Test
  void of_ourOwnClass_isItsName() {
    assertThat(
            siteOf(
                "io.sparkata.training.Trainer.run Trainer.java 40",
                "io.sparkata.AtaGradientDescent.optimizeWithLossReturned A.java 100",
                "io.sparkata.AtaGradientDescent.optimize A.java 90",
                "com.example.App.main App.java 12"))
        .isEqualTo("AtaGradientDescent.optimize at App.java:12");
  }

  @Test
  void of_dataFrameEstimator_isTheAlgorithmNotThePredictor() {
    assertThat(
            siteOf(
                "io.sparkata.training.Trainer.runRouted Trainer.java 80",
                MLLIB + "optimization.GradientDescent.optimize G.scala 100",
                "org.apache.spark.ml.regression.FactorizationMachines.trainImpl F.scala 150",
                "org.apache.spark.ml.classification.FMClassifier.$anonfun$train$1 F.scala 220",
                "org.apache.spark.ml.util.Instrumentation$.$anonfun$instrumented$1 I.scala 191",
                "scala.util.Try$.apply Try.scala 210",
                "org.apache.spark.ml.classification.FMClassifier.train F.scala 190",
                "org.apache.spark.ml.Predictor.fit Predictor.scala 114",
                "com.example.App$.main App.scala 44"))
        .isEqualTo("FMClassifier.train at App.scala:44");
  }

  @Test
  void of_lossFunctionCalledByBreeze_isTheAlgorithm() {
    assertThat(
            siteOf(
                "io.sparkata.objective.PersistedSums.<init> P.java 60",
                "java.util.concurrent.ConcurrentHashMap.computeIfAbsent C.java 1708",
                "io.sparkata.objective.SumRoute.runRouted S.java 60",
                "org.apache.spark.rdd.RDD.treeAggregate RDD.scala 1250",
                "org.apache.spark.ml.optim.loss.RDDLossFunction.calculate R.scala 60",
                "breeze.optimize.CachedDiffFunction.calculate C.scala 23",
                "breeze.optimize.FirstOrderMinimizer.infiniteIterations F.scala 60",
                "scala.collection.Iterator$$anon$9.next Iterator.scala 584",
                "org.apache.spark.ml.classification.LogisticRegression.trainImpl L.scala 1000",
                "org.apache.spark.ml.classification.LogisticRegression.train L.scala 500",
                "org.apache.spark.ml.Predictor.fit Predictor.scala 114",
                "org.apache.spark.ml.MLEvents.withFitEvent events.scala 130",
                "org.apache.spark.ml.Pipeline.$anonfun$fit$5 Pipeline.scala 151",
                "com.example.App.main App.java 44"))
        .isEqualTo("LogisticRegression.train at App.java:44");
  }

  @Test
  void of_stream_isMllibsMethodAlone() {
    assertThat(
            siteOf(
                "io.sparkata.training.Trainer.runRouted Trainer.java 80",
                MLLIB + "optimization.GradientDescent.optimize G.scala 100",
                MLLIB + "regression.StreamingLinearAlgorithm.$anonfun$trainOn$1 S.scala 90",
                MLLIB + "regression.StreamingLinearAlgorithm.$anonfun$trainOn$1$adapted S.scala -1",
                "org.apache.spark.streaming.dstream.DStream.$anonfun$foreachRDD$2 D.scala 629",
                "java.util.concurrent.ThreadPoolExecutor.runWorker T.java 1136",
                "java.lang.Thread.run Thread.java 840"))
        .isEqualTo("StreamingLinearAlgorithm.trainOn");
  }

  @Test
  void of_python_isTheMethodThatPythonCalls() {
    assertThat(
            siteOf(
                "io.sparkata.training.Trainer.runRouted Trainer.java 80",
                MLLIB + "optimization.GradientDescent.optimize G.scala 100",
                MLLIB + "api.python.PythonMLLibAPI.trainSVMModelWithSGD P.scala 200",
                "jdk.internal.reflect.NativeMethodAccessorImpl.invoke0 N.java -2",
                "py4j.reflection.MethodInvoker.invoke M.java 244",
                "java.lang.Thread.run Thread.java 840"))
        .isEqualTo("PythonMLLibAPI.trainSVMModelWithSGD");
  }

  @Test
  void of_sparksExamples_areUsers() {
    assertThat(
            siteOf(
                "io.sparkata.training.Trainer.runRouted Trainer.java 80",
                MLLIB + "optimization.GradientDescent$.runMiniBatchSGD G.scala 200",
                "org.apache.spark.examples.mllib.Example$.main Example.scala 9"))
        .isEqualTo("GradientDescent.runMiniBatchSGD at Example.scala:9");
  }

  @Test
  void of_codeWithoutFileName_isTheClass() {
    StackTraceElement generated = new StackTraceElement("com.example.Made$1", "go", null, -1);

    assertThat(CallSite.of(java.util.List.of(generated), "train")).isEqualTo("train at Made");
  }

  private static String siteOf(String... frames) {
    return CallSite.of(Arrays.stream(frames).map(CallSiteTest::frame).toList(), "none");
  }

  private static StackTraceElement frame(String text) {
    String[] parts = text.split(" ", -1);
    int dot = parts[0].lastIndexOf('.');
    return new StackTraceElement(
        parts[0].substring(0, dot),
        parts[0].substring(dot + 1),
        parts[1],
        Integer.parseInt(parts[2]));
  }
}
