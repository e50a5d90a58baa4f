# shellcheck shell=bash
# Shared by the scripts in this folder: profile, jars, Spark home, JVM options. Source it; it runs nothing.
#
# A profile is one Spark version. The first profile of a Scala version compiles its jars, which serve all its profiles.

ATA_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ATA_PROFILES=(spark-3.5 spark-4.0 spark-4.1 spark-4.2 spark-3.5-scala-2.12)

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

usage_error() {
  say "$*"
  say "See: $0 --help"
  exit 2
}

java_command() {
  if [[ -n ${JAVA_HOME:-} ]]; then printf '%s' "$JAVA_HOME/bin/java"; else printf 'java'; fi
}

# java_major COMMAND: 17 for a Java 17, 0 if COMMAND does not run.
java_major() {
  local version
  version=$("$1" -version 2>&1 | awk -F'"' '/ version "/ { print $2; exit }') || true
  version=${version%%[.-]*}
  [[ $version =~ ^[0-9]+$ ]] || version=0
  printf '%s' "$version"
}

# Whether the command is the java of a JDK that this project can use.
is_jdk() {
  local most=99 major
  # Spark 3.5, the default, runs on no later Java.
  [[ -n ${JAVA_HOME:-}${SPARK_HOME:-}${ATA_PROFILE:-} ]] || most=21
  major=$(java_major "$1")
  ((major >= 17 && major <= most)) && [[ -x $(readlink -f "$(command -v "$1")")c ]]
}

# Has a JDK ready: that of JAVA_HOME, else the one on the PATH, else one that Debian's packages install.
require_java() {
  ((!${JAVA_IS_FINE:-0})) || return 0
  if ! is_jdk "$(java_command)"; then
    [[ -z ${JAVA_HOME:-} ]] || die "Invalid JAVA_HOME: $JAVA_HOME (a JDK, 17 or later)"
    use_installed_jdk || { install_packages "$(jdk_package)" && use_installed_jdk; } ||
      die "Cannot find a JDK for Spark 3.5: install one, such as the package openjdk-17-jdk-headless." \
        "Or set JAVA_HOME=<a JDK 17 or 21>."
  fi
  JAVA_IS_FINE=1
}

# Sets JAVA_HOME to a JDK where Linux distributions have theirs.
use_installed_jdk() {
  local home
  for home in /usr/lib/jvm/*17* /usr/lib/jvm/*21*; do
    if is_jdk "$home/bin/java"; then
      export JAVA_HOME=$home
      return 0
    fi
  done
  return 1
}

# Debian 13 has no 17.
jdk_package() {
  if [[ -z $(apt-cache --names-only search '^openjdk-17-jdk-headless$' 2>/dev/null) &&
    -n $(apt-cache --names-only search '^openjdk-21-jdk-headless$' 2>/dev/null) ]]; then
    printf 'openjdk-21-jdk-headless'
  else
    printf 'openjdk-17-jdk-headless'
  fi
}

# install_packages PACKAGE...: by apt-get, where there is one and this user may; else fails.
install_packages() {
  local root=()
  command -v apt-get >/dev/null || return 1
  if ((EUID != 0)); then
    command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; } || return 1
    root=(sudo)
  fi
  say "Installing $* ..."
  "${root[@]}" apt-get update -qq >&2 &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Sets MVN: the mvn on the PATH if it is recent enough, else the wrapper, which downloads one. Without unzip the wrapper
# takes another file than the one whose checksum it knows.
require_maven() {
  require_java
  [[ ! -v MVN ]] || return 0
  MVN=mvn
  if ! mvn --version 2>/dev/null | grep -Eq 'Apache Maven (3\.([89]|[1-9][0-9])|[4-9])'; then
    MVN=$ATA_ROOT/mvnw
    command -v unzip >/dev/null || install_packages unzip ||
      die "Cannot unpack Maven: install the package unzip, or Maven 3.8 or later."
  fi
}

is_profile() {
  local profile
  for profile in "${ATA_PROFILES[@]}"; do
    [[ $1 == "$profile" ]] && return 0
  done
  return 1
}

# The first version in pom.xml.
ata_version() { sed -n '/<version>/ { s/.*<version>\(.*\)<\/version>.*/\1/p; q }' "$ATA_ROOT/pom.xml"; }

# scala_of PROFILE: its Scala version.
scala_of() { if [[ $1 == *-scala-* ]]; then printf '%s' "${1##*-scala-}"; else printf '2.13'; fi; }

# What Spark needs of a Java 17, one option to a line.
spark_jvm_options() {
  sed -n '/<spark.jvm.opens>/,/<\/spark.jvm.opens>/ { /spark.jvm.opens/d; s/^ *//p }' "$ATA_ROOT/pom.xml"
}

# The short commit, with a + if anything but docs/ has changes; "unknown" outside a git checkout of this project.
ata_commit() {
  local commit=unknown
  if [[ $(git -C "$ATA_ROOT" rev-parse --show-toplevel 2>/dev/null) -ef $ATA_ROOT ]]; then
    commit=$(git -C "$ATA_ROOT" rev-parse --short HEAD)
    [[ -z $(git -C "$ATA_ROOT" status --porcelain -- . ':!docs') ]] || commit+=+
  fi
  printf '%s' "$commit"
}

# spark_of JARS_DIR: "<Spark version> <Scala version>" by the name of its spark-core jar, or nothing.
spark_of() {
  local core
  for core in "$1"/spark-core_*.jar; do
    [[ ${core##*/} =~ ^spark-core_([0-9.]+)-(.+)\.jar$ ]] && printf '%s %s' "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}"
    return 0
  done
}

# compiling_profile SCALA: the profile that compiles the jars for it, or nothing.
compiling_profile() {
  local profile
  for profile in "${ATA_PROFILES[@]}"; do
    if [[ $1 == "$(scala_of "$profile")" ]]; then
      printf '%s' "$profile"
      return 0
    fi
  done
}

# Whether g++ knows C++20's atomic references, with which tests run the GPU's kernels on the host.
has_cxx20() {
  g++ -std=c++20 -x c++ -fsyntax-only - 2>/dev/null <<<$'#include <atomic>\nusing One = std::atomic_ref<double>;'
}

# Sets ATA_PROFILE: the given one, else the one that fits SPARK_HOME, else the first.
choose_profile() {
  if [[ -n ${ATA_PROFILE:-} ]]; then
    is_profile "$ATA_PROFILE" || usage_error "Invalid ATA_PROFILE: $ATA_PROFILE (one of ${ATA_PROFILES[*]})"
  elif [[ -z ${SPARK_HOME:-} ]]; then
    ATA_PROFILE=${ATA_PROFILES[0]}
  fi
  if [[ -n ${SPARK_HOME:-} ]]; then
    fit_profile_to_spark_home
  fi
  export ATA_PROFILE
}

fit_profile_to_spark_home() {
  local spark scala fitting
  read -r spark scala <<<"$(spark_of "$SPARK_HOME/jars")"
  [[ -n $spark ]] || die "Invalid SPARK_HOME: $SPARK_HOME (no jars/spark-core_*.jar in it)"
  fitting=$(compiling_profile "$scala")
  if [[ -z $fitting ]]; then
    die "Cannot use the Spark $spark for Scala $scala in SPARK_HOME: there is no jar for it (Scala 2.12 and 2.13)." \
      "Set SPARK_HOME=<another Spark>, or unset it to use the one from Maven."
  fi
  : "${ATA_PROFILE:=$fitting}"
  if [[ $(scala_of "$ATA_PROFILE") != "$scala" ]]; then
    die "Cannot use the Spark $spark for Scala $scala in SPARK_HOME with $ATA_PROFILE. Set ATA_PROFILE=$fitting."
  fi
}

# maven ARGUMENT...: runs Maven with the profile and without the checks of the code. Shows the modules on stderr, and
# Maven's own output only if it fails.
maven() {
  local log=$ATA_ROOT/target/maven.log
  mkdir -p "$ATA_ROOT/target"
  (cd "$ATA_ROOT" && "$MVN" -B "-P$ATA_PROFILE" -Data.unchecked "-Data.commit=$(ata_commit)" "$@" 2>&1) |
    tee "$log" | show_progress
  local status=${PIPESTATUS[0]}
  touch "$(unchecked_mark "$(scala_of "$ATA_PROFILE")")"
  ((status != 0)) || return 0
  grep '^.ERROR.' "$log" | sed '/-> \[Help 1\]$/,$d' >&2 || tail -n 40 "$log" >&2
  say "All of Maven's output: $log"
  return 1
}

# unchecked_mark SCALA: the file that says that classes were compiled without the checks of the code.
unchecked_mark() { printf '%s' "$ATA_ROOT/target/unchecked-$1"; }

# The modules, and every hundredth download, of Maven's output.
show_progress() {
  local line downloads=0
  while IFS= read -r line; do
    if [[ $line =~ Building\ (.*[^ ])\ +[^\ ]+\ +\[([0-9]+)/([0-9]+)\]$ ]]; then
      say "  ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]}"
    elif [[ $line == *'Downloaded from '* ]] && ((++downloads % 100 == 0)); then
      say "  $downloads files downloaded"
    fi
  done
}

readonly ATA_SHIPPED=(spark-ata/allocation spark-ata/plugin spark-ata/cuda spark-ata-examples/examples)
readonly ATA_LAB=spark-ata-examples/lab

# Sets PLUGIN_JAR and CUDA_JAR, and builds what ships and the examples if they are missing or out of date.
build_jars() { build "${ATA_SHIPPED[@]}"; }

# Sets LAB_JAR too, and builds the lab as well.
build_lab() { build "${ATA_SHIPPED[@]}" "$ATA_LAB"; }

# build MODULE...
build() {
  local scala started
  scala=$(scala_of "$ATA_PROFILE")
  name_jars "$scala"
  are_current "$scala" "$@" && return 0
  require_maven
  say "Building Spark ATA for Scala $scala ..."
  started=$(mktemp)
  if ! ATA_PROFILE=$(compiling_profile "$scala") maven -Dmaven.test.skip=true -pl "$(IFS=, && echo "$*")" package; then
    rm -f "$started"
    die "Cannot build the jars for Scala $scala: Maven failed, see above."
  fi
  stamp "$scala" "$started" "$@"
  rm -f "$started"
}

# target_of MODULE SCALA: where Maven builds it.
target_of() { printf '%s' "$ATA_ROOT/$1/target/scala-$2"; }

# name_jars SCALA
name_jars() {
  local version
  version=$(ata_version)
  PLUGIN_JAR=$(target_of spark-ata/plugin "$1")/spark-ata_$1-$version.jar
  # shellcheck disable=SC2034 # for the scripts that source this
  CUDA_JAR=$(target_of spark-ata/cuda "$1")/spark-ata-cuda_$1-$version.jar
  # shellcheck disable=SC2034
  LAB_JAR=$(target_of "$ATA_LAB" "$1")/spark-ata-lab-$version.jar
}

# stamp SCALA STARTED MODULE...: notes that the jars are current; files edited after the file STARTED count as newer.
stamp() {
  local scala=$1 started=$2 module
  shift 2
  for module in "$@"; do
    signature >"$(target_of "$module" "$scala")/built"
    touch -r "$started" "$(target_of "$module" "$scala")/built"
  done
}

# Of the jars that ship: Maven alone may have built others since a stamp.
signature() { cat "$PLUGIN_JAR" "$CUDA_JAR" | cksum; }

# are_current SCALA MODULE...: whether a build of these modules would change nothing.
are_current() {
  local scala=$1 module stamp
  shift
  [[ -f $PLUGIN_JAR && -f $CUDA_JAR ]] || return 1
  for module in "$@"; do
    stamp=$(target_of "$module" "$scala")/built
    [[ -f $stamp && $(<"$stamp") == "$(signature)" ]] || return 1
    [[ -z $(find "$ATA_ROOT"/{pom.xml,"$module"/pom.xml,"$module"/src/main} -newer "$stamp" -print -quit) ]] || return 1
  done
}

# Whether Maven has spark-yarn for the profile.
has_yarn() { [[ $ATA_PROFILE =~ ^spark-(3.5|4.0|4.2)$ ]]; }

# Sets ATA_SPARK_HOME: SPARK_HOME, else a home assembled from Maven.
name_spark_home() { ATA_SPARK_HOME=${SPARK_HOME:-$ATA_ROOT/target/spark-home-$ATA_PROFILE}; }

# Has the Spark home ready; sets ATA_SPARK_HOME, ATA_SPARK_VERSION and SPARK_SCALA_VERSION.
use_spark() {
  require_java
  name_spark_home
  [[ -n ${SPARK_HOME:-} ]] || assemble_spark_home
  # shellcheck disable=SC2034 # for the scripts that source this
  read -r ATA_SPARK_VERSION SPARK_SCALA_VERSION <<<"$(spark_of "$ATA_SPARK_HOME/jars")"
  export SPARK_SCALA_VERSION
}

assemble_spark_home() {
  local release partial yarn=()
  release="$ATA_PROFILE, assembled from Maven, poms $(cat "$ATA_ROOT/pom.xml" "$ATA_ROOT/spark-ata/plugin/pom.xml" |
    cksum)"
  [[ -f $ATA_SPARK_HOME/RELEASE && $(<"$ATA_SPARK_HOME/RELEASE") == "$release" ]] && return 0
  require_maven
  build_jars # the profiles of later Sparks compile none
  say "Assembling a Spark home for $ATA_PROFILE from Maven ..."
  mkdir -p "$ATA_ROOT/target"
  ! has_yarn || yarn=(-Pyarn)
  partial=$(mktemp -d "$ATA_SPARK_HOME.XXXXXX")
  if ! maven "${yarn[@]}" -Dmaven.test.skip=true -pl spark-ata/plugin -am compile dependency:copy-dependencies \
    -DincludeScope=provided "-DoutputDirectory=$partial/jars" ||
    [[ -z $(spark_of "$partial/jars") ]]; then
    rm -rf "$partial"
    die "Cannot assemble a Spark home: Maven failed, see above. Set SPARK_HOME=<an unpacked Spark> to do without."
  fi
  mkdir "$partial/conf"
  ln -s "$ATA_ROOT/conf/log4j2.properties" "$ATA_ROOT/conf/spark-defaults.conf" "$partial/conf/"
  printf '%s\n' "$release" >"$partial/RELEASE"
  chmod 755 "$partial"
  rm -rf "$ATA_SPARK_HOME"
  mv "$partial" "$ATA_SPARK_HOME"
}

# test_class_path MODULE [MAVEN_ARGUMENT...]: compiles the module with its tests, and sets CLASS_PATH to what they need.
test_class_path() {
  local file target
  file=$(mktemp)
  target=$(target_of "$1" "$(scala_of "$ATA_PROFILE")")
  say "Compiling for $ATA_PROFILE ..."
  if ! maven -pl "$1" -am "${@:2}" test-compile dependency:build-classpath -Dmdep.includeScope=test \
    "-Dmdep.outputFile=$file"; then
    rm -f "$file"
    die "Cannot compile for $ATA_PROFILE: Maven failed, see above."
  fi
  # shellcheck disable=SC2034 # for the scripts that source this
  CLASS_PATH=$target/classes:$target/test-classes:$(<"$file")
  rm -f "$file"
}
