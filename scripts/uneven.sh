# shellcheck shell=bash
# A cluster of uneven executors of one core each, for one application after the other, ended with the script. Source it
# after lib.sh. Reads RUN_DIR, SPEEDS, EXECUTOR_MEMORY_MIB, KEEP, MANAGER and ON_FAILURE, which is called in place of die
# where a cluster cannot start; sets EXECUTORS and CLUSTER_DIR.

# What manages the cluster: standalone or yarn.
MANAGER=standalone

require_speeds() {
  [[ $SPEEDS =~ ^[0-9.]+(,[0-9.]+)+$ ]] || usage_error "Invalid --speeds: $SPEEDS (two or more numbers, e.g. 8,4,2,1)"
  EXECUTORS=$(($(tr -cd , <<<"$SPEEDS" | wc -c) + 1))
}

require_memory() {
  local available needed
  available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  needed=$((EXECUTORS * EXECUTOR_MEMORY_MIB * 3 / 4))
  ((available >= needed)) ||
    die "Cannot start: $needed MiB of memory are needed, $available are available. Set --speeds to fewer executors."
}

choose_cluster_dir() {
  CLUSTER_DIR=$RUN_DIR/cluster
  [[ $MANAGER == standalone ]] || CLUSTER_DIR=$ATA_ROOT/target/yarn # where scripts/submit looks
}

# Another run's cluster must not end with this one.
require_no_cluster() {
  choose_cluster_dir
  if "$ATA_ROOT/scripts/cluster" status --dir "$CLUSTER_DIR" >/dev/null 2>&1; then
    die "Cannot start: the cluster runs already. End it with: scripts/cluster stop --dir $CLUSTER_DIR"
  fi
}

# Starts the cluster, and ends it when the script ends.
start_uneven_cluster() {
  trap stop_all EXIT
  trap 'exit 130' INT TERM
  choose_cluster_dir
  "$ATA_ROOT/scripts/cluster" start --manager "$MANAGER" --speeds "$SPEEDS" --cores 1 --memory "${EXECUTOR_MEMORY_MIB}m" \
    --dir "$CLUSTER_DIR" >&2 || "${ON_FAILURE:-die}" "Cannot start the cluster, see above."
  if [[ $("$ATA_ROOT/scripts/cluster" status --dir "$CLUSTER_DIR") == *"affinity and nice"* ]]; then
    say "Warning: no CPU quotas can be set here. The speeds hold only while all executors compute: once the fast are" \
      "done the slow ones speed up, and iteration times say little. Run as root for quotas."
  fi
}

# A second time it does nothing.
stop_cluster() { "$ATA_ROOT/scripts/cluster" stop --dir "$CLUSTER_DIR" >&2 || true; }

stop_all() {
  trap - EXIT
  trap '' INT TERM # a second Ctrl-C would leave JVMs and their control groups behind
  if [[ -n ${SUBMIT_PID:-} ]]; then
    kill "$SUBMIT_PID" 2>/dev/null || true
    wait "$SUBMIT_PID" 2>/dev/null || true
  fi
  if ((KEEP)); then
    say "The cluster is left running; end it with: scripts/cluster stop --dir $CLUSTER_DIR"
  else
    stop_cluster
  fi
}

# submit_uneven ARGUMENTS: scripts/submit, which adds the vector module, to all executors; one
# processor per executor, as its one core says, and room for the cached rows in the old generation. What runs a few
# times a round stays with the quick compiler: the other one takes up to half of a tenth of a core, now and then.
submit_uneven() {
  local master jvm="-XX:ActiveProcessorCount=1 -XX:+UseSerialGC -XX:NewRatio=7"
  jvm+=" -XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=50000 -XX:Tier4CompileThreshold=150000"
  if [[ $MANAGER == yarn ]]; then
    master=yarn
    unset YARN_CONF_DIR HADOOP_CONF_DIR # another YARN's, perhaps
  else
    master=$(<"$CLUSTER_DIR/master-url")
  fi
  SPARK_LOCAL_IP=127.0.0.1 "$ATA_ROOT/scripts/submit" \
    --master "$master" \
    --driver-memory 3g \
    --executor-memory "${EXECUTOR_MEMORY_MIB}m" \
    --executor-cores 1 \
    --conf spark.executor.instances="$EXECUTORS" \
    --conf spark.cores.max="$EXECUTORS" \
    --conf spark.scheduler.minRegisteredResourcesRatio=1 \
    --conf spark.scheduler.maxRegisteredResourcesWaitingTime=300s \
    --conf spark.ata.enabled=true \
    --conf spark.driver.host=127.0.0.1 \
    --conf spark.executor.extraJavaOptions="$jvm" \
    --conf spark.memory.fraction=0.8 \
    --conf spark.ui.enabled=false \
    "$@" &
  SUBMIT_PID=$!
  wait "$SUBMIT_PID" || { SUBMIT_PID='' && return 1; }
  SUBMIT_PID=''
}
