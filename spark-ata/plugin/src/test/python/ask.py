"""Calls sparkata as a notebook does, on a session whose JVM answers with the files of a folder, and prints what it gets."""
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import sparkata

folder = Path(sys.argv[1])


class Session:
    """As much of a SparkSession as sparkata uses."""

    def __init__(self, java):
        self._jvm = SimpleNamespace(io=SimpleNamespace(sparkata=SimpleNamespace(AtaStatus=java)))
        self._jsc = SimpleNamespace(sc=lambda: "context")

    def createDataFrame(self, rows, schema):
        columns = [column.split()[0] for column in schema.split(",")]
        return [dict(zip(columns, row)) for row in rows]


class Builder:
    """As much of its builder."""

    def __init__(self):
        self._options = {}

    def config(self, key, value):
        self._options[key] = value
        return self


def answer(what):
    def read(context):
        assert context == "context"
        return (folder / what).read_text()

    return read


def refused(call):
    try:
        return call()
    except RuntimeError as error:
        return "RuntimeError: %s" % error


pyspark = sys.modules["pyspark"] = ModuleType("pyspark")
pyspark.SparkContext = SimpleNamespace(_active_spark_context=None, _gateway=None)

spark = Session(SimpleNamespace(of=answer("of"), trainings=answer("trainings"), rounds=answer("rounds")))
print("status:", sparkata.status(spark))
print(sparkata.report(spark))
rounds = sparkata.rounds(spark)
print("rounds:", sum(row["rounds"] for row in rounds), "rows:", sum(row["rows"] for row in rounds))
print("executors:", sorted({row["executor"] for row in rounds}))

off = Session(SimpleNamespace(of=answer("of"), trainings=answer("error"), rounds=answer("error")))
print(refused(lambda: sparkata.report(off)))
without_jar = Session(type("JavaPackage", (), {})())
print("status:", sparkata.status(without_jar))
print(refused(lambda: sparkata.rounds(without_jar)))

print(sorted(sparkata.configure(Builder())._options.items()))
builder = Builder().config("spark.plugins", "com.example.Own").config("spark.executor.defaultJavaOptions", "-Da=b")
print(sorted(sparkata.configure(sparkata.configure(builder))._options.items()))
pyspark.SparkContext._gateway = SimpleNamespace(jvm=without_jar._jvm)
print(refused(lambda: sparkata.configure(Builder())))
pyspark.SparkContext._active_spark_context = "one"
print(refused(lambda: sparkata.configure(Builder())))
