package io.sparkata.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** What a browser would get. */
public final class Web {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  private Web() {}

  /** The answer, whatever its status. */
  public static HttpResponse<String> ask(String address) throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
  }

  /**
   * The body.
   *
   * @throws IOException if the status is not 200
   */
  public static String get(String address) throws IOException, InterruptedException {
    HttpResponse<String> answer = ask(address);
    if (answer.statusCode() != 200) {
      throw new IOException(address + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  public static JsonNode json(String address) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(get(address));
  }
}
