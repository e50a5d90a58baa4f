package io.sparkata.lab.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/**
 * JSON of measurements: a figure that was not measured, or is infinite, is null there and NaN here
 * again.
 */
final class BenchJson {
  static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(Double.TYPE, new Writing())
                  .addSerializer(Double.class, new Writing())
                  .addDeserializer(Double.TYPE, new Reading())
                  .addDeserializer(Double.class, new Reading()));

  private BenchJson() {}

  /**
   * A measurement as readers get it, with its provenance. Figures that rest on calibrations that do
   * not agree are null.
   */
  static ObjectNode report(Measurement measurement, Provenance provenance) {
    ObjectNode object = MAPPER.valueToTree(measurement);
    if (!measurement.calibrationsAgree()) {
      object.putNull("efficiency");
      object.putArray("efficiencyByRound");
      ObjectNode details = (ObjectNode) object.get("details");
      for (String name : DriftSchedule.BY_CALIBRATION) {
        if (details.has(name)) {
          details.putNull(name);
        }
      }
    }
    return object.setAll(MAPPER.<ObjectNode>valueToTree(provenance));
  }

  /** The same of a fit, or of rounds without work. */
  static ObjectNode report(Record measurement, Provenance provenance) {
    ObjectNode object = MAPPER.valueToTree(measurement);
    return object.setAll(MAPPER.<ObjectNode>valueToTree(provenance));
  }

  private static final class Writing extends StdSerializer<Double> {
    private static final long serialVersionUID = 1L;

    Writing() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (value.isNaN() || value.isInfinite()) {
        out.writeNull();
      } else {
        out.writeNumber(value);
      }
    }
  }

  private static final class Reading extends StdDeserializer<Double> {
    private static final long serialVersionUID = 1L;

    Reading() {
      super(Double.class);
    }

    @Override
    public Double deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return in.getDoubleValue();
    }

    @Override
    public Double getNullValue(DeserializationContext context) {
      return Double.NaN;
    }
  }
}
