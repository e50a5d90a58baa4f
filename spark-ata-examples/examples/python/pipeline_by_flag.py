"""A spark.ml pipeline from PySpark, tuned by cross-validation: spark.ata.enabled sends every fit through Spark ATA.

spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
  --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
  --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
  spark-ata-examples/examples/python/pipeline_by_flag.py spark-ata-examples/data/flights-2.5m.parquet

Or, from the project's folder, which adds the jar, the plugin and the vector module itself. PySpark needs SPARK_HOME:

SPARK_HOME=/opt/spark scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
  spark-ata-examples/examples/python/pipeline_by_flag.py spark-ata-examples/data/flights-2.5m.parquet
"""
import sys

from pyspark.ml import Pipeline
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import OneHotEncoder, StandardScaler, StringIndexer, VectorAssembler
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import SparkSession


def main(path):
    """Tunes and trains on a Parquet file of flights, and prints the best model's weights."""
    spark = SparkSession.builder.appName("pipeline by flag").getOrCreate()
    try:
        flights = spark.read.parquet(path).selectExpr("*", "double(delay > 15) AS label")
        logistic = LogisticRegression(maxIter=20, featuresCol="scaled")
        pipeline = Pipeline(
            stages=[
                # A fold may lack an airport.
                StringIndexer(inputCol="origin", outputCol="airport", handleInvalid="keep"),
                OneHotEncoder(inputCol="airport", outputCol="airports"),
                VectorAssembler(inputCols=["airports", "hour", "weekday", "distance"], outputCol="features"),
                StandardScaler(inputCol="features", outputCol="scaled"),
                logistic,
            ]
        )
        validator = CrossValidator(
            estimator=pipeline,
            estimatorParamMaps=ParamGridBuilder().addGrid(logistic.regParam, [0.001, 0.1]).build(),
            evaluator=BinaryClassificationEvaluator(),
            parallelism=2,
        )
        tuned = validator.fit(flights.repartition(spark.sparkContext.defaultParallelism).cache())
        print("area under ROC by regParam:", tuned.avgMetrics)
        print("weights:", tuned.bestModel.stages[-1].coefficients)
    finally:
        spark.stop()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: pipeline_by_flag.py FLIGHTS.parquet")
    main(sys.argv[1])
