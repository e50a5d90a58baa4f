package io.sparkata.routing;

/** Why a training is left to Spark. docs/tuning.md's table is generated from this. */
public enum Reason {
  LOCAL_MASTER(Kind.NO_GAIN, "The master is `local`: there is one executor only.", "Use a cluster"),
  ONE_EXECUTOR(Kind.NO_GAIN, "There is one executor only, without a GPU.", "Use more executors"),
  SMALL_ROUND(
      Kind.NO_GAIN,
      "A round has fewer than 32 sampled rows per executor.",
      "Use more rows, a larger fraction or fewer executors"),
  FEW_ELEMENTS(
      Kind.NO_GAIN_OF_SUMS,
      "For L-BFGS: the persisted data have fewer than 2 elements per executor.",
      "Use more or smaller ones, by maxBlockSizeInMB"),
  NOT_PERSISTED(
      Kind.ARGUMENT,
      "For L-BFGS: the data are not persisted as objects in memory.",
      "Persist them by MEMORY_ONLY or MEMORY_AND_DISK"),
  FRACTION(Kind.ARGUMENT, "The mini-batch fraction is not in (0, 1].", "Use one that is"),
  NO_PARTITIONS(Kind.ARGUMENT, "The data have no partitions.", "Use data that have"),
  OTHER_METHOD(
      Kind.OTHER,
      "The estimator trains by another method: trees, `KMeans`, `ALS`, naive Bayes and others;"
          + " `LinearRegression` too, with `solver=normal`, or `auto` and up to 4,096 features. Not"
          + " seen at all: feature stages such as `Word2Vec`, and MLlib's own trees and clusters.",
      "Set `solver=l-bfgs` of `LinearRegression`; for trees and `KMeans`, see `spark.ata.cache`"),
  RESOURCE_PROFILE(
      Kind.UNSUPPORTED,
      "The data ask for a resource profile of their own.",
      "Use Spark's default profile"),
  NO_MEMORY(
      Kind.UNSUPPORTED,
      "The packed rows do not fit into free storage memory besides what the application caches, or"
          + " it evicts them. Tried again after 5 s, then each time after twice as long.",
      "Set spark.executor.memory higher"),
  KRYO_REGISTRATION(
      Kind.MISCONFIGURED,
      "`spark.kryo.registrationRequired` is true, and `spark.kryo.registrator` does not name"
          + " `io.sparkata.AtaKryoRegistrator`.",
      "Add it there"),
  EXECUTOR_MISFIT(
      Kind.MISCONFIGURED,
      "An executor runs on a Java or a Scala that the jar is not for.",
      "Give every executor the Java and the jar of the driver");

  /** The consequence of a reason. */
  enum Kind {
    /** Allocated all the same with spark.ata.passThrough=never or spark.ata.gpu=required. */
    NO_GAIN(
        "one line of the report; trained by Spark ATA with `spark.ata.passThrough=never` or"
            + " `spark.ata.gpu=required`"),
    /** Of L-BFGS only, which no GPU computes. */
    NO_GAIN_OF_SUMS(
        "one line of the report; trained by Spark ATA with `spark.ata.passThrough=never`"),
    /** Always left. */
    ARGUMENT("one line of the report"),
    /** Never reaches Spark ATA. */
    OTHER("one line at INFO for each class"),
    /** An error with spark.ata.gpu=required. */
    UNSUPPORTED("one line of the report; an error with `spark.ata.gpu=required`"),
    /** An error with spark.ata.onError=fail or spark.ata.gpu=required. */
    MISCONFIGURED("one WARN; an error with `spark.ata.onError=fail` or `spark.ata.gpu=required`");

    private final String consequence;

    Kind(String consequence) {
      this.consequence = consequence;
    }
  }

  private final Kind kind;
  private final String meaning;
  private final String remedy;

  Reason(Kind kind, String meaning, String remedy) {
    this.kind = kind;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  Kind kind() {
    return kind;
  }

  /** When it applies, one sentence in Markdown. */
  public String meaning() {
    return meaning;
  }

  /** What the user can do to have rounds allocated, without a full stop. */
  public String remedy() {
    return remedy;
  }

  /** The consequence, in Markdown. */
  public String consequence() {
    return kind.consequence;
  }

  /** Whether allocation would work but has nothing to gain. */
  boolean isNoGain() {
    return kind == Kind.NO_GAIN || kind == Kind.NO_GAIN_OF_SUMS;
  }

  /** Whether it is a warning: a setting keeps Spark ATA from working. */
  public boolean isWarning() {
    return kind == Kind.MISCONFIGURED;
  }
}
