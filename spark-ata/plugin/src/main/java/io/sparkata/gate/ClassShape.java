package io.sparkata.gate;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;

/**
 * What a linker needs to know of a class: its parents and the members that other classes may use.
 */
final class ClassShape {
  private final boolean isInterface;
  private final List<String> parents;
  private final Set<String> members = new HashSet<>();

  private final boolean isOurs;

  private ClassShape(boolean isInterface, List<String> parents, boolean isOurs) {
    this.isInterface = isInterface;
    this.parents = parents;
    this.isOurs = isOurs;
  }

  /**
   * The shape of a class file.
   *
   * @param isOurs whether its private members count: our classes use their own
   */
  static ClassShape of(ClassReader file, boolean isOurs) {
    List<String> parents = new ArrayList<>(Arrays.asList(file.getInterfaces()));
    if (file.getSuperName() != null) {
      parents.add(0, file.getSuperName());
    }
    ClassShape shape =
        new ClassShape((file.getAccess() & Opcodes.ACC_INTERFACE) != 0, parents, isOurs);
    file.accept(
        new ClassVisitor(OpenedClassReader.ASM_API) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            shape.add(access, name + descriptor);
            return null;
          }

          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            shape.add(access, name + descriptor);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return shape;
  }

  /** The shape of a class of the JDK; null if the JDK has no such class. */
  static ClassShape ofJvm(String name) {
    Class<?> type;
    try {
      ClassLoader jvm = ClassLoader.getSystemClassLoader();
      type = Class.forName(name.replace('/', '.'), /* initialize= */ false, jvm);
    } catch (ClassNotFoundException absent) {
      return null;
    }
    List<String> parents = new ArrayList<>();
    if (type.getSuperclass() != null) {
      parents.add(Type.getInternalName(type.getSuperclass()));
    }
    for (Class<?> parent : type.getInterfaces()) {
      parents.add(Type.getInternalName(parent));
    }
    ClassShape shape = new ClassShape(type.isInterface(), parents, /* isOurs= */ false);
    for (Method method : type.getDeclaredMethods()) {
      shape.add(method.getModifiers(), method.getName() + Type.getMethodDescriptor(method));
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      shape.add(constructor.getModifiers(), "<init>" + Type.getConstructorDescriptor(constructor));
    }
    for (Field field : type.getDeclaredFields()) {
      shape.add(field.getModifiers(), field.getName() + Type.getDescriptor(field.getType()));
    }
    return shape;
  }

  private void add(int access, String member) {
    if (isOurs || (access & Opcodes.ACC_PRIVATE) == 0) {
      members.add(member);
    }
  }

  boolean isInterface() {
    return isInterface;
  }

  /** The superclass, then the interfaces, by their names in class files. */
  List<String> parents() {
    return parents;
  }

  /**
   * Whether the class itself declares a member.
   *
   * @param member its name and descriptor
   */
  boolean has(String member) {
    return members.contains(member);
  }
}
