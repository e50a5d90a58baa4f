# shellcheck shell=bash
# A cluster of uneven workers on this machine, whatever manages it: command line, processes, CPU shares, state, output.
# Source it after lib.sh and shares.sh. The script that does so has a usage, and defines, for --manager yarn in yarn.sh,
#   prepare        what it needs before anything runs; sets ATA_SPARK_HOME and KIND
#   start_master   sets MASTER_PID, and ADDRESS for those who submit; returns when the master answers
#   start_worker HOST, with PREFIX and OPTIONS set: by start_jvm worker-HOST
#   alive_workers  how many the master counts

START_SECONDS=180
STOP_SECONDS=20

# With autogroups nice counts within a session only; between sessions their own value does.
# shellcheck disable=SC2016 # the parameters of this program
NICE_START='{ echo "$1" >/proc/self/autogroup; } 2>/dev/null || true; exec nice -n "$1" taskset -c "$2" "${@:3}"'

# ---- command line

parse_options() {
  SPEEDS=1,1,1 CORES=1 MEMORY=1g CAPACITY='' PORT='' WORKER_OPTS='' DIR='' MANAGER=standalone JSON=0 WORKER='' FACTOR=''
  local action=$1 name value dir_given=0
  shift
  while (($# > 0)); do
    name=${1%%=*}
    case $name in
      -h | --help) usage && exit 0 ;;
      --json) [[ $action =~ ^(throttle|lift|hold)$ ]] || { JSON=1 && shift && continue; } ;;
    esac
    case $action$name in
      start--worker | start--factor) usage_error "Invalid option: $1 (of throttle)" ;;
      start* | *--dir | *--manager | throttle--worker | throttle--factor) ;;
      throttle*) usage_error "Invalid option: $1 (throttle knows --worker, --factor, --manager and --dir)" ;;
      lift* | hold*) usage_error "Invalid option: $1 ($action knows --manager and --dir)" ;;
      *) usage_error "Invalid option: $1 ($action knows --manager, --dir and --json)" ;;
    esac
    if [[ $1 == *=* ]]; then
      value=${1#*=}
    else
      (($# > 1)) || usage_error "Invalid $name: nothing (a value is needed)"
      value=$2
      shift
    fi
    case $name in
      --speeds) SPEEDS=$value ;;
      --cores) CORES=$value ;;
      --memory) MEMORY=$value ;;
      --capacity) CAPACITY=$value ;;
      --port) PORT=$value ;;
      --worker-opts) WORKER_OPTS=$value ;;
      --dir) DIR=$value dir_given=1 ;;
      --manager) MANAGER=$value ;;
      --worker) WORKER=$value ;;
      --factor) FACTOR=$value ;;
      *) usage_error "Invalid option: $name (none of $action's)" ;;
    esac
    shift
  done
  case $MANAGER in
    standalone) ((dir_given)) || DIR=$ATA_ROOT/target/cluster ;;
    yarn)
      ((dir_given)) || DIR=$ATA_ROOT/target/yarn
      # shellcheck source=scripts/yarn.sh
      source "$ATA_ROOT/scripts/yarn.sh"
      ;;
    *) usage_error "Invalid --manager: $MANAGER (standalone or yarn)" ;;
  esac
  [[ -n $DIR ]] || usage_error "Invalid --dir: nothing (a folder)"
  DIR=$(realpath -m -- "$DIR")
  require_own_dir
}

check_start_options() {
  local number='([0-9]+(\.[0-9]*)?|\.[0-9]+)'
  if ! [[ $SPEEDS =~ ^$number(,$number)*$ ]] || ! awk -v list="$SPEEDS" 'BEGIN {
      n = split(list, speed, ","); for (i = 1; i <= n; i++) if (speed[i] <= 0) exit 1; exit n > 200 }'; then
    usage_error "Invalid --speeds: $SPEEDS (positive numbers with commas between, 200 at most, e.g. 8,4,2,1)"
  fi
  [[ $CORES =~ ^[1-9][0-9]{0,3}$ ]] || usage_error "Invalid --cores: $CORES (a whole number from 1)"
  [[ $MEMORY =~ ^[1-9][0-9]*[mMgG]$ ]] || usage_error "Invalid --memory: $MEMORY (a number and m or g, e.g. 1g)"
  if [[ -n $PORT ]]; then
    if ! [[ $PORT =~ ^[1-9][0-9]{0,4}$ ]] || ((PORT < 1024 || PORT > 65535)); then
      usage_error "Invalid --port: $PORT (a number from 1024 to 65535)"
    fi
    ! port_in_use "$PORT" || die "Cannot listen on port $PORT: it is in use. Set --port=<a free port>, or leave it out."
  fi
  REAL_CPUS=$(real_cpus)
  if [[ -z $CAPACITY ]]; then
    CAPACITY=$(awk -v n="$REAL_CPUS" 'BEGIN { printf "%g", (n > 1 ? n - 0.5 : n / 2) }')
  elif ! [[ $CAPACITY =~ ^$number$ ]] || ! awk -v c="$CAPACITY" -v n="$REAL_CPUS" 'BEGIN { exit !(c > 0 && c <= n) }'; then
    usage_error "Invalid --capacity: $CAPACITY (above 0, at most the $REAL_CPUS CPUs here; less leaves some to the driver)"
  fi
}

# ---- this machine

port_in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    if [[ $port != "${1:-}" ]] && ! port_in_use "$port"; then break; fi
  done
  printf '%s' "$port"
}

# ---- processes

# Every JVM of the cluster, executors and drivers too, inherits this entry in its environment.
process_mark() { printf 'ATA_CLUSTER_DIR=%s' "$DIR"; }

our_processes() {
  local file
  { grep -lzxF -s -- "$(process_mark)" /proc/[0-9]*/environ || true; } | while read -r file; do
    file=${file#/proc/}
    printf '%s\n' "${file%/environ}"
  done
}

signal_ours() {
  local pid
  for pid in $(our_processes); do
    kill "-$1" "$pid" 2>/dev/null || true
  done
}

is_ours() { grep -qzxF -s -- "$(process_mark)" "/proc/$1/environ"; }

# start_jvm NAME HEAP CLASS ARGUMENT...: in the background with PREFIX before it, OPTIONS for the JVM and CLASS_PATH;
# sets PID.
start_jvm() {
  local name=$1 heap=$2
  shift 2
  # nohup and setsid: it outlives this shell and its terminal.
  env "$(process_mark)" SPARK_HOME="$ATA_SPARK_HOME" nohup setsid "${PREFIX[@]}" "$(java_command)" \
    "-Xmx$heap" "${SPARK_OPENS[@]}" "${OPTIONS[@]}" -cp "$CLASS_PATH" "$@" \
    >"$DIR/logs/$name.log" 2>&1 </dev/null &
  PID=$!
}

# http_get PATH: what the master's web page answers, empty while it does not.
http_get() {
  # shellcheck disable=SC2016 # the inner shell's
  timeout 5 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "GET %s HTTP/1.0\r\n\r\n" "$2" >&3 && cat <&3' \
    _ "$WEB_PORT" "$1" 2>/dev/null | tr -d '\0' || true
}

# await_master COMMAND...: until the command prints something.
await_master() {
  local tries=0
  until [[ -n $("$@") ]]; do
    is_ours "$MASTER_PID" || ((tries < 5)) || fail_with_log "the master ended" master
    ((++tries < START_SECONDS * 5)) || fail_with_log "the master did not answer in $START_SECONDS s" master
    sleep 0.2
  done
}

# start_workers: each with JVM_OPTIONS, which its executors and drivers inherit.
start_workers() {
  local host speed share quota period nice means group cpus
  cpus=$(shared_cpus)
  : >"$DIR/workers.tsv"
  while IFS=$'\t' read -r host speed share quota period nice; do
    PREFIX=(env "SPARK_LOCAL_IP=$host"
      "JDK_JAVA_OPTIONS=$JVM_OPTIONS-XX:ActiveProcessorCount=$CORES")
    read -ra OPTIONS <<<"$WORKER_OPTS"
    group=-
    case $ENFORCE in
      v1) means="cgroup v1 quota $quota/$period us" ;;
      v2) means="cgroup v2 cpu.max $quota $period" ;;
      affinity)
        means="affinity and nice: CPU $cpus, nice $nice"
        PREFIX+=(bash -c "$NICE_START" _ "$nice" "$cpus")
        ;;
      none) means="no limit" ;;
    esac
    start_worker "$host"
    if [[ $ENFORCE == v* ]]; then
      group=$CGROUP_BASE/$(group_prefix)-$host
      mkdir "$group"
      { echo "$PID" >"$group/cgroup.procs"; } 2>/dev/null || fail_with_log "worker $host ended" "worker-$host"
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$host" "$PID" "$speed" "$share" "$means" "$group" "$quota" "$period" \
      >>"$DIR/workers.tsv"
  done <<<"$PLAN"
}

wait_for_workers() {
  local expected alive=0 seen=-1 deadline=$((SECONDS + START_SECONDS)) host pid rest
  expected=$(wc -l <"$DIR/workers.tsv")
  while :; do
    alive=$(alive_workers)
    if ((alive != seen)); then say "  $alive of $expected workers registered" && seen=$alive; fi
    ((alive < expected)) || return 0
    while IFS=$'\t' read -r host pid rest; do
      kill -0 "$pid" 2>/dev/null || fail_with_log "worker $host ended" "worker-$host"
    done <"$DIR/workers.tsv"
    ((SECONDS < deadline)) || fail_with_log "$alive of $expected workers registered in $START_SECONDS s" master
    sleep 0.5
  done
}

set_quotas() {
  local host pid speed share means group quota period
  while IFS=$'\t' read -r host pid speed share means group quota period; do
    [[ $group == - ]] || set_quota "$group" "$quota" "$period"
  done <"$DIR/workers.tsv"
}

lift_quotas() {
  local host pid speed share means group rest
  while IFS=$'\t' read -r host pid speed share means group rest; do
    lift_quota "$group"
  done <"$DIR/workers.tsv"
}

fail_with_log() {
  say "--- the end of $DIR/logs/$2.log"
  tail -n 20 "$DIR/logs/$2.log" >&2 || true
  die "Cannot start the cluster: $1."
}

# ---- state: DIR/cluster.tsv (name, value), DIR/workers.tsv, DIR/master-url

state() { awk -F'\t' -v name="$1" '$1 == name { print $2; exit }' "$DIR/cluster.tsv" 2>/dev/null || true; }

write_state() {
  printf '%s\t%s\n' webPort "$WEB_PORT" masterPid "$MASTER_PID" cores "$CORES" memory "$MEMORY" \
    capacity "$CAPACITY" realCpus "$REAL_CPUS" profile "$ATA_PROFILE" sparkVersion "$ATA_SPARK_VERSION" \
    scalaVersion "$SPARK_SCALA_VERSION" >"$DIR/cluster.tsv"
  printf '%s\n' "$ADDRESS" >"$DIR/master-url"
}

# Only the caller's own: what lies there is executed, and written to, with the caller's rights.
require_own_dir() {
  [[ ! -e $DIR || -O $DIR ]] || die "Cannot use $DIR: it belongs to another user. Set --dir=<a folder of yours>."
}

prepare_dir() {
  if [[ -d $DIR && -n $(ls -A "$DIR") && ! -f $DIR/.spark-ata-cluster ]]; then
    die "Cannot use $DIR: it holds other files. Set --dir=<an empty or a new folder>."
  fi
  umask 077
  mkdir -p "$DIR"
  require_own_dir
  touch "$DIR/.spark-ata-cluster"
  rm -rf "$DIR/logs" "$DIR/work"
  mkdir "$DIR/logs" "$DIR/work"
}

end_everything() {
  local deadline=$((SECONDS + STOP_SECONDS)) killed=0 group
  signal_ours TERM
  while [[ -n $(our_processes) ]]; do
    if ((SECONDS >= deadline)); then
      ((killed == 0)) || die "Cannot stop the cluster: these processes do not end:" "$(our_processes | tr '\n' ' ')"
      signal_ours KILL
      killed=1 deadline=$((SECONDS + STOP_SECONDS))
    fi
    sleep 0.2
  done
  for group in $(our_groups); do
    remove_group "$group"
  done
  rm -f "$DIR/cluster.tsv" "$DIR/workers.tsv" "$DIR/master-url" "$DIR/secret.args"
}

# ---- output

up_workers() {
  local host pid rest count=0
  while IFS=$'\t' read -r host pid rest; do
    if is_ours "$pid"; then count=$((count + 1)); fi
  done <"$DIR/workers.tsv"
  printf '%s' "$count"
}

# What the state says and which of it runs; UP=1 when all does.
print_cluster() {
  local host pid speed share means rest alive
  UP=0
  if is_ours "$(state masterPid)" && (($(up_workers) == $(wc -l <"$DIR/workers.tsv"))); then UP=1; fi
  if ((JSON)); then print_cluster_json && return; fi
  printf 'master %s (pid %s, web page http://127.0.0.1:%s), Spark %s for Scala %s\n' "$(<"$DIR/master-url")" \
    "$(state masterPid)" "$(state webPort)" "$(state sparkVersion)" "$(state scalaVersion)"
  while IFS=$'\t' read -r host pid speed share means rest; do
    if is_ours "$pid"; then alive=''; else alive='  DOWN'; fi
    printf 'worker %-13s pid %-7s speed %-6s %s CPU  %s%s\n' "$host" "$pid" "$speed" "$share" "$means" "$alive"
  done <"$DIR/workers.tsv"
}

print_cluster_json() {
  local host pid speed share means rest separator='' alive
  printf '{"up":%s,"master":%s,"webUi":%s,"masterPid":%s,"dir":%s,' "$( ((UP)) && echo true || echo false)" \
    "$(json_string "$(<"$DIR/master-url")")" "$(json_string "http://127.0.0.1:$(state webPort)")" \
    "$(state masterPid)" "$(json_string "$DIR")"
  printf '"profile":%s,"sparkVersion":%s,"scalaVersion":%s,"realCpus":%s,"capacity":%s,"workers":[' \
    "$(json_string "$(state profile)")" "$(json_string "$(state sparkVersion)")" \
    "$(json_string "$(state scalaVersion)")" "$(state realCpus)" "$(state capacity)"
  while IFS=$'\t' read -r host pid speed share means rest; do
    if is_ours "$pid"; then alive=true; else alive=false; fi
    printf '%s{"host":%s,"pid":%s,"up":%s,"cores":%s,"memory":%s,"relativeSpeed":%s,"cpuShare":%s,"enforcement":%s}' \
      "$separator" "$(json_string "$host")" "$pid" "$alive" "$(state cores)" "$(json_string "$(state memory)")" \
      "$speed" "$share" "$(json_string "$means")"
    separator=,
  done <"$DIR/workers.tsv"
  printf ']}\n'
}

# ---- actions

start() {
  [[ $(uname -s) == Linux ]] || die "Cannot start a cluster: it needs Linux (loopback addresses, /proc, cgroups)."
  check_start_options
  if [[ -n $(our_processes) ]]; then
    die "Cannot start a cluster in $DIR: one runs there already." \
      "Set --dir=<another folder>, or end it with: $0 stop --dir $DIR"
  fi
  choose_enforcement
  PLAN=$(plan_workers)
  check_plan
  prepare
  mapfile -t SPARK_OPENS < <(spark_jvm_options)
  JVM_OPTIONS=${JDK_JAVA_OPTIONS:+$JDK_JAVA_OPTIONS }
  prepare_dir
  end_everything
  trap 'trap - EXIT && trap "" INT TERM && end_everything' EXIT
  trap 'exit 130' INT TERM
  PORT=${PORT:-$(free_port)}
  WEB_PORT=$(free_port "$PORT")
  say "Starting $KIND: a master and $(wc -l <<<"$PLAN") workers ..."
  start_master
  start_workers
  wait_for_workers
  set_quotas
  write_state
  trap - EXIT INT TERM
  print_cluster
}

stop() {
  local count
  count=$(our_processes | wc -l)
  end_everything
  if ((JSON)); then
    printf '{"up":false,"dir":%s,"ended":%s}\n' "$(json_string "$DIR")" "$count"
  elif ((count > 0)); then
    printf 'stopped: %s processes ended\n' "$count"
  else
    printf 'not running\n'
  fi
}

status() {
  if [[ -f $DIR/cluster.tsv ]]; then
    print_cluster
    ((UP)) || exit 3
  else
    if ((JSON)); then printf '{"up":false,"dir":%s}\n' "$(json_string "$DIR")"; else printf 'not running\n'; fi
    exit 3
  fi
}

# Lets all workers run as fast as the CPUs give, all alike, until hold.
lift() { require_quotas lift && lift_quotas; }

# Holds all workers to their shares again, throttled ones too.
hold() { require_quotas hold && set_quotas; }

# require_quotas ACTION; sets ENFORCE.
require_quotas() {
  local host pid speed share means group rest
  [[ -f $DIR/workers.tsv ]] || die "Cannot $1: no cluster runs in $DIR. Start one: $0 start --dir $DIR"
  while IFS=$'\t' read -r host pid speed share means group rest; do
    [[ $group != - ]] || die "Cannot $1 $host: its share is not held by a CPU quota ($means)."
    if [[ $means == *"v1"* ]]; then ENFORCE=v1; else ENFORCE=v2; fi
  done <"$DIR/workers.tsv"
}

# Sets one worker's quota to so much of its share; 1 gives it back.
throttle() {
  local host pid speed share means group quota period number='([0-9]+(\.[0-9]*)?|\.[0-9]+)'
  require_quotas throttle
  if ! [[ $FACTOR =~ ^$number$ ]] || ! awk -v f="$FACTOR" 'BEGIN { exit !(f > 0 && f <= 1) }'; then
    usage_error "Invalid --factor: ${FACTOR:-nothing} (above 0, at most 1)"
  fi
  while IFS=$'\t' read -r host pid speed share means group quota period; do
    [[ $host == "$WORKER" ]] || continue
    quota=$(awk -v q="$quota" -v f="$FACTOR" 'BEGIN { printf "%d", q * f + 0.5 }')
    if ((quota < 1000)); then # the kernel takes no less
      period=$(awk -v p="$period" -v q="$quota" 'BEGIN { printf "%d", p * 1000 / (q > 0 ? q : 1) }')
      quota=1000
    fi
    ((period <= 1000000)) || usage_error "Invalid --factor: $FACTOR (worker $host would get too little to run)"
    set_quota "$group" "$quota" "$period"
    return 0
  done <"$DIR/workers.tsv"
  usage_error "Invalid --worker: ${WORKER:-nothing} (one of $(cut -f1 "$DIR/workers.tsv" | paste -sd' '))"
}

main() {
  case ${1:-} in
    -h | --help) usage ;;
    start | stop | status | throttle | lift | hold)
      parse_options "$@"
      "$1"
      ;;
    '') usage_error "Invalid command line: empty (start, stop, status, throttle, lift or hold)" ;;
    *) usage_error "Invalid action: $1 (start, stop, status, throttle, lift or hold)" ;;
  esac
}
