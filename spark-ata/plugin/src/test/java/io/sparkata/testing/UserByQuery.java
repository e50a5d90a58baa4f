package io.sparkata.testing;

import static net.bytebuddy.matcher.ElementMatchers.isDeclaredBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.InvocationHandlerAdapter;

/**
 * A servlet filter for {@code spark.ui.filters}: the query names the user. Its class is made for
 * the servlet API that this Spark has.
 */
public final class UserByQuery {
  private static final ClassLoader LOADER = UserByQuery.class.getClassLoader();

  private UserByQuery() {}

  /** The name of the class. */
  public static String filter() {
    String name = "io.sparkata.testing.UserFilter";
    String api = hasClass("jakarta.servlet.Filter") ? "jakarta.servlet." : "javax.servlet.";
    if (!hasClass(name)) {
      Class<?> filter = type(api + "Filter");
      new ByteBuddy()
          .subclass(Object.class)
          .implement(filter)
          .name(name)
          .method(isDeclaredBy(filter))
          .intercept(
              InvocationHandlerAdapter.of(
                  (self, method, arguments) ->
                      method.getName().equals("doFilter") ? pass(api, arguments) : null))
          .make()
          .load(LOADER, ClassLoadingStrategy.Default.INJECTION);
    }
    return name;
  }

  private static Object pass(String api, Object[] arguments) throws ReflectiveOperationException {
    Class<?> requestType = type(api + "http.HttpServletRequest");
    Object user = requestType.getMethod("getParameter", String.class).invoke(arguments[0], "user");
    Object request =
        Proxy.newProxyInstance(
            LOADER,
            new Class<?>[] {requestType},
            (self, method, values) ->
                method.getName().equals("getRemoteUser")
                    ? user
                    : call(method, arguments[0], values));
    return type(api + "FilterChain")
        .getMethod("doFilter", type(api + "ServletRequest"), type(api + "ServletResponse"))
        .invoke(arguments[2], request, arguments[1]);
  }

  private static Object call(Method method, Object target, Object[] values) throws Throwable {
    try {
      return method.invoke(target, values);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  private static boolean hasClass(String name) {
    try {
      Class.forName(name, /* initialize= */ false, LOADER);
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name, /* initialize= */ false, LOADER);
    } catch (ClassNotFoundException absent) {
      throw new IllegalStateException(absent);
    }
  }
}
