package io.sparkata.training;

import io.sparkata.blocks.NumberArrays;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;

/** Gradient, loss and number of the sampled rows of one mini-batch, summed. */
class BatchSum implements Serializable {
  private static final long serialVersionUID = 1L;

  private double[] gradient;
  private double loss;
  private long count;

  /** Adds rows; takes ownership of {@code rowGradient}, which may be null if the count is 0. */
  final void add(double[] rowGradient, double rowLoss, long rowCount) {
    if (gradient == null) {
      gradient = rowGradient;
    } else if (rowGradient != null) {
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += rowGradient[i];
      }
    }
    loss += rowLoss;
    count += rowCount;
  }

  /** Adds another sum, which must not be used after. */
  final BatchSum merge(BatchSum other) {
    add(other.gradient, other.loss, other.count);
    return this;
  }

  /** Sum of the rows' gradients; null if there was no row. */
  final double[] gradient() {
    return gradient;
  }

  /** Sum of the rows' losses. */
  final double loss() {
    return loss;
  }

  /** Number of rows. */
  final long count() {
    return count;
  }

  /** For Java's serialization; Kryo copies arrays in one piece by itself. */
  private Object writeReplace() {
    Form form = new Form();
    form.gradient = gradient;
    form.loss = loss;
    form.count = count;
    return form;
  }

  /** A sum as it is sent. */
  static final class Form implements Externalizable {
    private static final long serialVersionUID = 1L;

    private double[] gradient;
    private double loss;
    private long count;

    /** For Java's serialization. */
    public Form() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeDouble(loss);
      out.writeLong(count);
      out.writeBoolean(gradient != null);
      if (gradient != null) {
        NumberArrays.write(out, gradient, 0);
      }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      loss = in.readDouble();
      count = in.readLong();
      gradient = in.readBoolean() ? NumberArrays.readDoubles(in, 0) : null;
    }

    private Object readResolve() {
      BatchSum sum = new BatchSum();
      sum.add(gradient, loss, count);
      return sum;
    }
  }
}
