"""Spark ATA from Python: switch it on, ask whether it is on, what it gained and what each executor did.

The plugin's jar contains this file. It can be imported with spark-submit if the jar is named by --jars and by
--py-files too, and in a notebook without spark-submit after sys.path.insert(0, "spark-ata_2.13-0.1.0-SNAPSHOT.jar").
"""
import json

_PLUGIN = "io.sparkata.AtaPlugin"
_NO_JAR = "off because the plugin's jar is not on the driver's class path: add it by --jars or --packages"
_COLUMNS = (
    "training long, first long, rounds long, byMessage long, seconds double, executor string, rows long,"
    " kernelSeconds double, fetchSeconds double, movedBytes long"
)


def configure(builder):
    """The builder of a SparkSession with Spark ATA on; call it before the session starts.

    The settings replace those of spark-defaults.conf: repeat its plugins and Java options by builder.config first.

    Raises RuntimeError if a SparkContext runs, because Spark loads plugins when a context starts, and if one has run
    without the plugin's jar, because its JVM does not end before Python does.
    """
    from pyspark import SparkContext

    if SparkContext._active_spark_context is not None:
        raise RuntimeError("A SparkContext runs. Call spark.stop() first: Spark loads plugins when a context starts")
    if SparkContext._gateway is not None and not _class(SparkContext._gateway.jvm):
        raise RuntimeError("Spark's JVM runs without the plugin's jar. Restart Python, and configure the first session")
    options = getattr(builder, "_options", {})
    plugins = [name for name in options.get("spark.plugins", "").split(",") if name and name != _PLUGIN]
    java = options.get("spark.executor.defaultJavaOptions", "")
    if "jdk.incubator.vector" not in java:
        java = (java + " --add-modules=jdk.incubator.vector").strip()
    jars = [jar for jar in options.get("spark.jars", "").split(",") if jar]
    own = getattr(__loader__, "archive", None)  # the jar, if this file was imported from it
    if own and own not in jars:
        jars.append(own)
    if jars:
        builder = builder.config("spark.jars", ",".join(jars))
    return (
        builder.config("spark.plugins", ",".join(plugins + [_PLUGIN]))
        .config("spark.executor.defaultJavaOptions", java)
        .config("spark.ata.enabled", "true")
    )


def status(spark):
    """'on', 'on, but only observes ...' or 'off because ...'."""
    java = _java(spark)
    return java.of(spark._jsc.sc()) if java else _NO_JAR


def report(spark):
    """What each training came to, a text of one or two lines for each, or why Spark ran it.

    Raises RuntimeError if Spark ATA is off or Spark's UI is.
    """
    lines = []
    for training in _ask(spark, "trainings"):
        if training["report"]:
            lines += training["report"]
        else:
            line = "Spark ATA training %d: %s: %s" % (training["training"], training["name"], training["state"])
            if "why" in training:
                line += ", because %s. %s" % (training["why"], training["advice"])
            lines.append(line)
    return "\n".join(lines) or "no training yet"


def rounds(spark):
    """A DataFrame with a row for each executor in each sum of rounds that the tab ATA shows.

    Columns: training, first (number of the first of the rounds), rounds (how many), byMessage (how many of them were
    no Spark jobs), seconds (of all of them), executor, rows (that it summed; blocks of rows for L-BFGS),
    kernelSeconds, fetchSeconds (for which it waited for blocks), movedBytes (that it received).

    Raises RuntimeError if Spark ATA is off or Spark's UI is.
    """
    return spark.createDataFrame([tuple(row) for row in _ask(spark, "rounds")], _COLUMNS)


def _ask(spark, what):
    java = _java(spark)
    answer = json.loads(getattr(java, what)(spark._jsc.sc())) if java else {"error": _NO_JAR}
    if "error" in answer:
        raise RuntimeError("Spark ATA: " + answer["error"])
    return answer


def _java(spark):
    if "connect" in type(spark).__module__:
        raise RuntimeError("A client of Spark Connect cannot ask. Spark's UI on the server has a tab ATA")
    return _class(spark._jvm)


def _class(jvm):
    java = jvm.io.sparkata.AtaStatus
    return None if type(java).__name__ == "JavaPackage" else java  # so Py4J takes a class that it does not find
