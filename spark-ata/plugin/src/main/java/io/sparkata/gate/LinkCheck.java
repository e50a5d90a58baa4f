package io.sparkata.gate;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.pool.TypePool;

/**
 * The self-test: checks that every class, method and field that this jar's classes name exists, by
 * the JVM's own rules for linking, inherited members included. Reads class files and loads no
 * class.
 */
final class LinkCheck {
  private static final String OURS = "io/sparkata/";
  private static final String OUR_LIBRARIES = "io/sparkata/shaded/";

  /** Tags of the constant pool, section 4.4 of the JVM's specification. */
  private static final int CLASS = 7;

  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  private final ClassLoader loader;
  private final TypePool classFiles;
  private final Map<String, Shape> shapes = new HashMap<>();
  private final SortedSet<String> missing = new TreeSet<>();

  /** What a linker needs to know of a class. */
  private static final class Shape {
    private final boolean isInterface;

    /** The superclass and the interfaces, by their names in class files. */
    private final List<String> parents = new ArrayList<>();

    /** The names, with descriptors, of the members that other classes may use. */
    private final Set<String> members = new HashSet<>();

    /**
     * @param isOurs whether its private members count: our classes use their own
     */
    Shape(TypeDescription type, boolean isOurs) {
      isInterface = type.isInterface();
      if (type.getSuperClass() != null) {
        parents.add(type.getSuperClass().asErasure().getInternalName());
      }
      type.getInterfaces().asErasures().forEach(up -> parents.add(up.getInternalName()));
      for (MethodDescription method : type.getDeclaredMethods()) {
        if (isOurs || !method.isPrivate()) {
          members.add(method.getInternalName() + method.getDescriptor());
        }
      }
      for (FieldDescription field : type.getDeclaredFields()) {
        if (isOurs || !field.isPrivate()) {
          members.add(field.getName() + field.getDescriptor());
        }
      }
    }
  }

  /**
   * @param loader finds our classes and those of others
   */
  LinkCheck(ClassLoader loader) {
    this.loader = loader;
    this.classFiles =
        new TypePool.Default.WithLazyResolution(
            TypePool.CacheProvider.NoOp.INSTANCE, // it would keep that a class is missing
            ClassFileLocator.ForClassLoader.of(loader),
            TypePool.Default.ReaderMode.FAST);
  }

  /** Whether our classes come from a file that can be read. */
  static boolean isPossible() {
    return location().getProtocol().equals("file");
  }

  private static URL location() {
    return LinkCheck.class.getProtectionDomain().getCodeSource().getLocation();
  }

  /**
   * The members and classes that our classes name and that do not exist; none if the check is not
   * possible. Our classes are those of the jar or folder that this class is in.
   */
  List<String> missing() {
    if (!isPossible()) {
      return new ArrayList<>();
    }
    try {
      Path place = Paths.get(location().toURI());
      if (Files.isDirectory(place)) {
        checkFolder(place);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(place, loader)) {
          checkFolder(jar.getPath("/"));
        }
      }
    } catch (IOException | URISyntaxException error) {
      throw new IllegalStateException("Cannot read the jar of Spark ATA", error);
    }
    return new ArrayList<>(missing);
  }

  private void checkFolder(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(root)) {
      files = found.filter(path -> isOurs(root.relativize(path))).collect(Collectors.toList());
    }
    for (Path file : files) {
      check(new ClassReader(Files.readAllBytes(file)));
    }
  }

  private static boolean isOurs(Path file) {
    String name = file.toString().replace(File.separatorChar, '/');
    return name.startsWith(OURS) && !name.startsWith(OUR_LIBRARIES) && name.endsWith(".class");
  }

  /** Checks every reference in the class's constant pool. */
  private void check(ClassReader ours) {
    char[] buffer = new char[ours.getMaxStringLength()];
    for (int i = 1; i < ours.getItemCount(); i++) {
      int item = ours.getItem(i);
      int tag = item == 0 ? 0 : ours.readByte(item - 1);
      if (tag == CLASS) {
        checkClass(ours.readUTF8(item, buffer));
      } else if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
        int nameAndType = ours.getItem(ours.readUnsignedShort(item + 2));
        checkMember(
            ours.readClass(item, buffer),
            ours.readUTF8(nameAndType, buffer),
            ours.readUTF8(nameAndType + 2, buffer),
            tag);
      }
    }
  }

  private void checkClass(String name) {
    if (isChecked(name) && shape(name) == null) {
      missing.add(name.replace('/', '.'));
    }
  }

  private void checkMember(String owner, String name, String descriptor, int tag) {
    if (!isChecked(owner)) {
      return;
    }
    Shape shape = shape(owner);
    boolean isThere =
        shape != null
            && (tag == FIELD || shape.isInterface == (tag == INTERFACE_METHOD))
            && has(owner, name + descriptor);
    if (!isThere) {
      missing.add(text(owner, name, descriptor));
    }
  }

  /**
   * Whether members of a class must be checked: those of Spark, and our own, which inherit from
   * Spark's. The JDK's are complete, and so are those of libraries inside the jar.
   */
  private static boolean isChecked(String name) {
    return !name.startsWith("[")
        && !isOfJvm(name)
        && !name.startsWith(OUR_LIBRARIES)
        && !name.startsWith("net/bytebuddy/");
  }

  private static boolean isOfJvm(String name) {
    return name.startsWith("java/") || name.startsWith("javax/") || name.startsWith("jdk/");
  }

  private boolean has(String owner, String member) {
    Shape shape = shape(owner);
    return shape != null
        && (shape.members.contains(member)
            || shape.parents.stream().anyMatch(up -> has(up, member)));
  }

  /** Null if there is no such class. */
  private Shape shape(String name) {
    if (!shapes.containsKey(name)) {
      shapes.put(name, read(name));
    }
    return shapes.get(name);
  }

  private Shape read(String name) {
    String className = name.replace('/', '.');
    if (isOfJvm(name)) {
      try {
        ClassLoader jvm = ClassLoader.getSystemClassLoader();
        Class<?> type = Class.forName(className, /* initialize= */ false, jvm);
        return new Shape(TypeDescription.ForLoadedType.of(type), /* isOurs= */ false);
      } catch (ClassNotFoundException absent) {
        return null;
      }
    }
    TypePool.Resolution found = classFiles.describe(className);
    return found.isResolved() ? new Shape(found.resolve(), name.startsWith(OURS)) : null;
  }

  private static String text(String owner, String name, String descriptor) {
    String text = owner.replace('/', '.') + "." + name;
    if (!descriptor.startsWith("(")) {
      return text;
    }
    return Stream.of(Type.getArgumentTypes(descriptor))
        .map(Type::getClassName)
        .map(argument -> argument.substring(argument.lastIndexOf('.') + 1))
        .collect(Collectors.joining(", ", text + "(", ")"));
  }
}
