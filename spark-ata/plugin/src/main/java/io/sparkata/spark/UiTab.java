package io.sparkata.spark;

import static net.bytebuddy.matcher.ElementMatchers.named;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.InvocationHandlerAdapter;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.xml.Unparsed;

/**
 * A tab in Spark's UI. Its pages' classes are made at run time, because Spark 3.5 gives them a
 * request of {@code javax.servlet} and Spark 4 one of {@code jakarta.servlet}.
 */
public final class UiTab extends SparkUITab {
  private final String name;

  private UiTab(SparkUI ui, String path, String name) {
    super(ui, path);
    this.name = name;
  }

  /**
   * Adds a tab.
   *
   * @param path of its address
   * @param name that Spark shows
   * @throws ReflectiveOperationException if this Spark's UI is not as we know it
   */
  public static void attach(SparkUI ui, String path, String name, List<UiPage> pages)
      throws ReflectiveOperationException {
    UiTab tab = new UiTab(ui, path, name);
    for (UiPage page : pages) {
      tab.attachPage(pageOf(tab, page));
    }
    ui.attachTab(tab);
  }

  @Override
  public String name() {
    return name;
  }

  private static WebUIPage pageOf(UiTab tab, UiPage page) throws ReflectiveOperationException {
    return new ByteBuddy()
        .subclass(WebUIPage.class)
        .method(named("render").or(named("renderJson")))
        .intercept(
            InvocationHandlerAdapter.of(
                (self, method, arguments) ->
                    method.getName().equals("render")
                        ? html(tab, page, arguments[0], method.getParameterTypes()[0])
                        : json(page, arguments[0], method.getParameterTypes()[0])))
        .make()
        .load(UiTab.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
        .getLoaded()
        .getConstructor(String.class)
        .newInstance(page.path());
  }

  /** {@code UIUtils.headerSparkPage} with its defaults; newer lines have more of these. */
  private static Object html(UiTab tab, UiPage page, Object request, Class<?> requestType)
      throws ReflectiveOperationException {
    Method header =
        Arrays.stream(UIUtils$.class.getMethods())
            .filter(method -> method.getName().equals("headerSparkPage"))
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException("UIUtils.headerSparkPage"));
    Object[] values = new Object[header.getParameterCount()];
    Function0<Object> content =
        () -> new Unparsed(page.html(parametersOf(request, requestType))); // is a Seq of nodes
    Object[] first = {request, page.title(), content, tab};
    System.arraycopy(first, 0, values, 0, first.length);
    for (int i = first.length; i < values.length; i++) {
      String name = "headerSparkPage$default$" + (i + 1);
      values[i] = UIUtils$.class.getMethod(name).invoke(UIUtils$.MODULE$);
    }
    return header.invoke(UIUtils$.MODULE$, values);
  }

  /** As the JSON of a library whose classes differ between Spark's lines. */
  private static Object json(UiPage page, Object request, Class<?> requestType)
      throws ReflectiveOperationException {
    Class<?> methods =
        Class.forName("org.json4s.jackson.JsonMethods$", true, UIUtils$.class.getClassLoader());
    return methods
        .getMethod("fromJsonNode", JsonNode.class)
        .invoke(
            methods.getField("MODULE$").get(null), page.json(parametersOf(request, requestType)));
  }

  private static UnaryOperator<String> parametersOf(Object request, Class<?> type) {
    return name -> {
      try {
        return (String) type.getMethod("getParameter", String.class).invoke(request, name);
      } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException error) {
        throw new IllegalStateException("Cannot read the request's parameter " + name, error);
      }
    };
  }
}
