package io.sparkata.lab.cold;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Who trains. A user gets from one side to another by a flag or by {@code repartition}. */
public enum ColdSide {
  /** One partition of the input for each slot. */
  SPARK("Spark as it comes", 1),
  SPARK_PARTITIONED("Spark, 8 partitions per slot", 8),
  /** The input of {@link #SPARK}, with the flag. */
  SPARK_ATA("Spark ATA", 1);

  private final String title;
  private final int partitionsPerSlot;

  ColdSide(String title, int partitionsPerSlot) {
    this.title = title;
    this.partitionsPerSlot = partitionsPerSlot;
  }

  /** The name on the command line and in JSON. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The side of that name. */
  public static ColdSide of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(ColdSide::id).toList();
  }

  /** The name in tables. */
  public String title() {
    return title;
  }

  int partitionsPerSlot() {
    return partitionsPerSlot;
  }

  boolean isSparkAta() {
    return this == SPARK_ATA;
  }
}
