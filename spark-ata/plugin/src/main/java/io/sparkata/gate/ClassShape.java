package io.sparkata.gate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.type.TypeDefinition;
import net.bytebuddy.description.type.TypeDescription;

/**
 * What a linker needs to know of a class: its parents and the members that other classes may use.
 */
final class ClassShape {
  private final boolean isInterface;
  private final List<String> parents = new ArrayList<>();
  private final Set<String> members = new HashSet<>();

  /**
   * @param isOurs whether its private members count: our classes use their own
   */
  ClassShape(TypeDescription type, boolean isOurs) {
    isInterface = type.isInterface();
    if (type.getSuperClass() != null) {
      parents.add(type.getSuperClass().asErasure().getInternalName());
    }
    for (TypeDefinition parent : type.getInterfaces().asErasures()) {
      parents.add(parent.asErasure().getInternalName());
    }
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
