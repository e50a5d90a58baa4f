# shellcheck shell=bash disable=SC2034
# How scripts/cluster divides the CPUs: the plan, and what enforces it (cgroups, else affinity and nice). Source it.
# Reads SPEEDS, CORES, CAPACITY, DIR and PLAN; sets ENFORCE and CGROUP_BASE.

# The CPUs this process may use: by its affinity and by its own quota.
real_cpus() {
  local quota
  quota=$(
    base=$(cgroup_v1_mount)
    if [[ -n $base ]]; then
      base+=$(own_cgroup cpu)
      paste -d' ' "$base/cpu.cfs_quota_us" "$base/cpu.cfs_period_us" 2>/dev/null
    else
      cat "$(cgroup_v2_mount)$(own_cgroup '')/cpu.max" 2>/dev/null
    fi
  ) || true
  awk -v n="$(nproc)" -v quota="$quota" 'BEGIN {
    split(quota, q, " "); if (q[1] > 0 && q[2] > 0 && q[1] / q[2] < n) n = q[1] / q[2]; printf "%g", n }'
}

cgroup_v1_mount() { awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' /proc/mounts; }
cgroup_v2_mount() { awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts; }

# own_cgroup CONTROLLER: this process's group under it; '' for v2.
own_cgroup() {
  awk -F: -v name="$1" '{ n = split($2, names, ","); for (i = 1; i <= n; i++) if (names[i] == name) found = 1
    if (name == "" && $1 == 0) found = 1; if (found) { sub(/\/$/, "", $3); print $3; exit } }' /proc/self/cgroup
}

# Sets ENFORCE to v1, v2 or affinity, and CGROUP_BASE to the folder for our groups.
choose_enforcement() {
  case ${ATA_CLUSTER_ENFORCE:-} in
    '') find_cgroup || ENFORCE=affinity ;;
    affinity | none) ENFORCE=$ATA_CLUSTER_ENFORCE ;;
    cgroup)
      find_cgroup || die "Cannot set CPU quotas: no cgroup with a cpu controller is writable here." \
        "Set ATA_CLUSTER_ENFORCE=affinity, or start as root."
      ;;
    *) usage_error "Invalid ATA_CLUSTER_ENFORCE: $ATA_CLUSTER_ENFORCE (cgroup, affinity or none)" ;;
  esac
}

find_cgroup() {
  local mount own base
  mount=$(cgroup_v1_mount)
  if [[ -n $mount ]]; then
    ENFORCE=v1
    for base in "$mount$(own_cgroup cpu)" "$mount"; do
      if cgroup_works "$base"; then CGROUP_BASE=$base && return 0; fi
    done
    return 1
  fi
  mount=$(cgroup_v2_mount)
  [[ -n $mount ]] || return 1
  ENFORCE=v2
  own=$mount$(own_cgroup '')
  for base in "$own" "${own%/*}" "$mount"; do
    [[ $base == "$mount"* ]] || continue
    enable_cpu_controller "$base"
    if cgroup_works "$base"; then CGROUP_BASE=$base && return 0; fi
  done
  return 1
}

enable_cpu_controller() {
  if ! grep -qw cpu "$1/cgroup.subtree_control" 2>/dev/null; then
    { echo +cpu >"$1/cgroup.subtree_control"; } 2>/dev/null || true
  fi
}

# Can we make a group there, limit it and put a process into it?
cgroup_works() {
  local group=$1/spark-ata-probe-$$ works=1
  mkdir "$group" 2>/dev/null || return 1
  if set_quota "$group" 10000 10000 && (echo "$BASHPID" >"$group/cgroup.procs"); then works=0; fi 2>/dev/null
  remove_group "$group"
  return $works
}

# set_quota GROUP QUOTA PERIOD, in microseconds. The weight lets the group have its quota on a busy machine too; it
# cannot starve the rest, which is left what the quotas leave.
set_quota() {
  local weight
  if [[ $ENFORCE == v1 ]]; then
    weight=$((102400 * $2 / $3))
    echo "$3" >"$1/cpu.cfs_period_us" && echo "$2" >"$1/cpu.cfs_quota_us" &&
      echo $((weight < 262144 ? weight : 262144)) >"$1/cpu.shares"
  else
    weight=$((4000 * $2 / $3))
    echo "$2 $3" >"$1/cpu.max" && echo $((weight < 10000 ? weight : 10000)) >"$1/cpu.weight"
  fi
}

# lift_quota GROUP: as much as the CPUs give, with the weight of any other group.
lift_quota() {
  if [[ $ENFORCE == v1 ]]; then
    echo -1 >"$1/cpu.cfs_quota_us" && echo 1024 >"$1/cpu.shares"
  else
    echo max >"$1/cpu.max" && echo 100 >"$1/cpu.weight"
  fi
}

# A group can be removed a moment after its last process has gone.
remove_group() {
  local try
  for try in {1..50}; do
    [[ ! -d $1 ]] || rmdir "$1" 2>/dev/null || { sleep 0.1 && continue; }
    return 0
  done
  say "Cannot remove the cgroup $1: still in use after $try tries."
  return 1
}

# Our groups bear a name that follows from DIR, so that stop finds them without any state.
group_prefix() { printf 'spark-ata-%s' "$(cksum <<<"$DIR" | cut -d' ' -f1)"; }

our_groups() {
  local base
  for base in "$(cgroup_v1_mount)" "$(cgroup_v2_mount)"; do
    [[ -z $base ]] || find "$base" -maxdepth 8 -type d -name "$(group_prefix)-*" 2>/dev/null || true
  done
}

# Prints for each worker: host, speed, share in CPUs, quota and period in microseconds, nice value.
plan_workers() {
  awk -v list="$SPEEDS" -v cores="$CORES" -v capacity="$CAPACITY" -v enforce="$ENFORCE" 'BEGIN {
    n = split(list, speed, ",")
    for (i = 1; i <= n; i++) {
      sum += speed[i]
      if (speed[i] > max) max = speed[i]
      if (i == 1 || speed[i] < min) min = speed[i]
    }
    unit = enforce == "affinity" ? cores / sum : capacity / sum
    if (unit * max > cores) unit = cores / max
    # The kernel takes no quota below 1000 us and no period above 1 s.
    period = 10000
    while (unit * min * period < 999.9 && period < 100000) period *= 2
    for (i = 1; i <= n; i++)
      printf "127.0.0.%d\t%g\t%.4g\t%d\t%d\t%d\n", i + 1, speed[i], unit * speed[i], unit * speed[i] * period + 0.5,
        period, log(max / speed[i]) / log(1.25) + 0.5
  }'
}

check_plan() {
  local host speed share quota period nice first=''
  while IFS=$'\t' read -r host speed share quota period nice; do
    if [[ $ENFORCE == none ]]; then
      [[ ${first:=$speed} == "$speed" ]] || usage_error "Invalid --speeds: $SPEEDS (all equal with ATA_CLUSTER_ENFORCE=none)"
    elif [[ $ENFORCE == affinity ]]; then
      ((nice <= 19)) || usage_error "Invalid --speeds: $SPEEDS (affinity and nice reach a ratio of 69 at most)"
    elif ((quota < 1000)); then
      usage_error "Invalid --speeds: $SPEEDS (worker $host, speed $speed, would get $share CPU: too little to run)"
    fi
  done <<<"$PLAN"
}

# The first --cores of the CPUs we may use, for all workers: only where they compete does nice divide.
shared_cpus() {
  awk -v cores="$CORES" '/^Cpus_allowed_list:/ {
    n = split($2, part, ",")
    for (i = 1; i <= n; i++) {
      split(part[i], end, "-")
      for (cpu = end[1]; cpu <= (end[2] == "" ? end[1] : end[2]) && count < cores; cpu++)
        out = out (count++ ? "," : "") cpu
    }
    print out }' /proc/self/status
}
