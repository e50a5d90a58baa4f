"""A linear SVM from PySpark: plain MLlib, which spark.ata.enabled sends through Spark ATA.

spark-submit --master spark://host:7077 --jars spark-ata_2.13-0.1.0-SNAPSHOT.jar \
  --conf spark.plugins=io.sparkata.AtaPlugin --conf spark.ata.enabled=true \
  --conf spark.executor.defaultJavaOptions=--add-modules=jdk.incubator.vector \
  spark-ata-examples/examples/python/svm_by_flag.py points.libsvm

Or, from the project's folder, which adds the jar, the plugin and the vector module itself. PySpark needs SPARK_HOME:

SPARK_HOME=/opt/spark scripts/submit --master spark://host:7077 --conf spark.ata.enabled=true \
  spark-ata-examples/examples/python/svm_by_flag.py points.libsvm
"""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.mllib.classification import SVMWithSGD
from pyspark.mllib.util import MLUtils


def main(path):
    """Trains on a LIBSVM file with labels 0 and 1, and prints the weights."""
    spark = SparkContext(conf=SparkConf().setAppName("SVM by flag"))
    try:
        data = MLUtils.loadLibSVMFile(spark, path).cache()
        model = SVMWithSGD.train(data, iterations=30, step=1.0, regParam=0.01, miniBatchFraction=0.3)
        print("weights:", model.weights)
    finally:
        spark.stop()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: svm_by_flag.py DATA.libsvm")
    main(sys.argv[1])
