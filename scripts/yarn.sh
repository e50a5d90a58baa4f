# shellcheck shell=bash disable=SC2034
# What scripts/cluster does for --manager yarn: the functions that workers.sh calls. Source it after workers.sh.

# An application master of 1 GiB, with Spark's overhead; in cluster mode that is the driver.
MASTER_MEMORY_MIB=1408

prepare() {
  [[ -z ${SPARK_HOME:-} ]] || die "Cannot use SPARK_HOME: YARN comes with Spark's jars from Maven here. Unset SPARK_HOME."
  choose_profile
  has_yarn || die "Cannot start YARN with $ATA_PROFILE: there is no spark-yarn for it. Set ATA_PROFILE=spark-3.5, spark-4.0 or spark-4.2."
  use_spark
  fetch_servers
  KIND="YARN $(pom_property hadoop.version "$ATA_PROFILE")"
  # The client's jars first, as the servers' own want it; Spark's last, for the log: its filter for drivers is another.
  local client=("$ATA_SPARK_HOME"/jars/hadoop-client-*.jar)
  CLASS_PATH="$DIR/conf:$(IFS=: && echo "${client[*]}"):$SERVER_JARS/*:$ATA_SPARK_HOME/jars/*"
}

# Sets SERVER_JARS: ResourceManager and NodeManager.
fetch_servers() {
  SERVER_JARS=$ATA_ROOT/target/yarn-servers-$ATA_PROFILE
  [[ ! -f $SERVER_JARS/complete ]] || return 0
  require_maven
  say "Fetching YARN's servers from Maven ..."
  rm -rf "$SERVER_JARS"
  maven -Pyarn-servers -Dmaven.test.skip=true -pl spark-ata/plugin -am package dependency:copy-dependencies \
    -DincludeScope=provided "-DoutputDirectory=$SERVER_JARS" \
    -DincludeArtifactIds=hadoop-client-minicluster,bcprov-jdk15on,bcpkix-jdk15on,bcutil-jdk15on,junit,jakarta.xml.bind-api,jakarta.activation-api ||
    die "Cannot fetch YARN's servers: Maven failed, see above."
  touch "$SERVER_JARS/complete"
}

# configuration NAME VALUE ...: a Hadoop configuration file on stdout.
configuration() {
  echo '<?xml version="1.0"?><configuration>'
  while (($# > 0)); do
    printf '  <property><name>%s</name><value>%s</value></property>\n' "$1" "$2"
    shift 2
  done
  echo '</configuration>'
}

# One folder for all: ${ata.host} and ${ata.work} are each NodeManager's own, by -D.
write_configuration() {
  local memory=${MEMORY%[mMgG]} node taken=("$PORT" "$WEB_PORT") ports=() port
  [[ $MEMORY == *[mM] ]] || memory=$((memory * 1024))
  node=$((memory + (memory / 10 > 384 ? memory / 10 : 384) + MASTER_MEMORY_MIB))
  for port in 1 2 3; do
    while port=$(free_port) && [[ " ${taken[*]} " == *" $port "* ]]; do :; done
    taken+=("$port") ports+=("$port")
  done
  mkdir -p "$DIR/conf"
  # shellcheck disable=SC2016 # Hadoop's variables
  configuration \
    yarn.resourcemanager.hostname 127.0.0.1 \
    yarn.resourcemanager.address "127.0.0.1:$PORT" \
    yarn.resourcemanager.webapp.address "127.0.0.1:$WEB_PORT" \
    yarn.resourcemanager.scheduler.address "127.0.0.1:${ports[0]}" \
    yarn.resourcemanager.resource-tracker.address "127.0.0.1:${ports[1]}" \
    yarn.resourcemanager.admin.address "127.0.0.1:${ports[2]}" \
    yarn.resourcemanager.am.max-attempts 1 \
    yarn.scheduler.minimum-allocation-mb 128 \
    yarn.scheduler.maximum-allocation-mb "$node" \
    yarn.nodemanager.hostname '${ata.host}' \
    yarn.nodemanager.address '${ata.host}:0' \
    yarn.nodemanager.localizer.address '${ata.host}:0' \
    yarn.nodemanager.webapp.address '${ata.host}:0' \
    yarn.nodemanager.local-dirs '${ata.work}/local' \
    yarn.nodemanager.log-dirs '${ata.work}/logs' \
    yarn.nodemanager.delete.debug-delay-sec 3600 \
    yarn.nodemanager.resource.memory-mb "$node" \
    yarn.nodemanager.resource.cpu-vcores $((CORES + 1)) \
    yarn.nodemanager.vmem-check-enabled false \
    yarn.nodemanager.pmem-check-enabled false \
    yarn.nodemanager.env-whitelist JAVA_HOME,JDK_JAVA_OPTIONS,SPARK_LOCAL_IP,ATA_CLUSTER_DIR \
    yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage 100 \
    >"$DIR/conf/yarn-site.xml"
  configuration \
    fs.defaultFS file:/// \
    hadoop.tmp.dir "$DIR/work/tmp" \
    >"$DIR/conf/core-site.xml"
  configuration \
    yarn.scheduler.capacity.root.queues default \
    yarn.scheduler.capacity.root.default.capacity 100 \
    yarn.scheduler.capacity.maximum-am-resource-percent 1.0 \
    yarn.scheduler.capacity.resource-calculator org.apache.hadoop.yarn.util.resource.DominantResourceCalculator \
    >"$DIR/conf/capacity-scheduler.xml"
  # What submitting needs beside YARN's own; scripts/submit hands it on.
  printf '%s\n' "spark.yarn.jars=local:$ATA_SPARK_HOME/jars/*" "spark.yarn.stagingDir=file:$DIR/work/staging" \
    >"$DIR/conf/spark-yarn.conf"
}

start_master() {
  ((EUID != 0)) || say "Mind: YARN has no secret here. While this cluster runs, every user of this machine can run code as root."
  write_configuration
  PREFIX=(env SPARK_LOCAL_IP=127.0.0.1)
  OPTIONS=("-Dlog4j2.configurationFile=$ATA_ROOT/conf/log4j2.properties")
  start_jvm master 512m org.apache.hadoop.yarn.server.resourcemanager.ResourceManager
  MASTER_PID=$PID
  ADDRESS=yarn
  await_master http_get /ws/v1/cluster/metrics
}

start_worker() {
  OPTIONS+=("-Dlog4j2.configurationFile=$ATA_ROOT/conf/log4j2.properties" "-Data.host=$1" "-Data.work=$DIR/work/$1")
  mkdir -p "$DIR/work/$1"
  start_jvm "worker-$1" 512m org.apache.hadoop.yarn.server.nodemanager.NodeManager
}

alive_workers() {
  [[ $(http_get /ws/v1/cluster/metrics) =~ \"activeNodes\"\ *:\ *([0-9]+) ]] && printf '%s' "${BASH_REMATCH[1]}" || printf 0
}
