package io.sparkata.lab.ring;

import java.io.Serializable;
import java.util.function.IntFunction;
import org.apache.spark.mllib.linalg.Vector;
import scala.Tuple2;

/** All rows, label and features by index. Every member holds them. Serialised to executors. */
public interface RingRows extends IntFunction<Tuple2<Object, Vector>>, Serializable {}
