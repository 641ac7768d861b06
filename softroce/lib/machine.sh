# shellcheck shell=bash
# One machine: QEMU started, followed until its command ends, and stopped without a trace.

qemu_pid='' feeder_pid='' feeder_end='' pump_pids=() job=''

escaped() { printf %s "${1//,/,,}"; } # a comma ends a value in QEMU's options

default_cpus() {
  local here_are
  here_are=$(nproc)
  echo $((here_are < 2 ? 2 : here_are > 4 ? 4 : here_are))
}

default_memory() { # mebibytes
  local total limit
  total=$(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo)
  # a container may have less than the computer; the second file is that of older engines
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null || echo max)
  if [[ $limit =~ ^[0-9]{7,15}$ ]] && [ $((limit / 1048576)) -lt "$total" ]; then total=$((limit / 1048576)); fi
  total=$((total / 2))
  echo "$((total < 1024 ? 1024 : total > 4096 ? 4096 : total))M"
}

machine_options() { # sets options
  local entry stream processors=${cpus:-$(default_cpus)} size=${memory:-$(default_memory)} processor=max clock=''
  if [ "$accelerator" = tcg ]; then
    # The kernel copies with an instruction for strings where it is told that these are fast; emulated they go byte by byte.
    processor=max,-erms,-fsrm
    # Emulated time-stamp counters are the host's, but the kernel trusts none of a processor that is not Intel's, and would
    # ask the emulated timer for the time instead.
    clock=' tsc=reliable'
  fi
  options=(-accel "$accelerator$tcg_options" -cpu "$processor" -smp "$processors"
    -m "$size" -display none -monitor none -no-reboot -no-user-config -nodefaults
    -serial "file:$(escaped "$job/console")" -kernel "$boot_image" -initrd "$initrd"
    -append 'console=ttyS0 quiet panic=-1 mitigations=off nokaslr no_timer_check'"$clock") # the check fails on a busy host
  if [ "${numa:-1}" -gt 1 ]; then add_nodes "$processors" "$size"; fi
  add_share host "$root" ,readonly=on
  add_share order "$job/order" ,readonly=on
  add_share modules "${kernel_tree%/}/lib/modules" ,readonly=on
  for entry in "${shares[@]}"; do
    case $entry in
      r*) add_share "${entry%% *}" "${entry#* }" ,readonly=on ;;
      w*) add_share "${entry%% *}" "${entry#* }" '' ;;
    esac
  done
  options+=(-device virtio-serial -chardev "stdio,id=stdin,signal=off"
    -chardev "pipe,id=control,path=$(escaped "$job/control")")
  for stream in stdout stderr events; do
    options+=(-chardev "file,id=$stream,path=$(escaped "$job/$stream")")
  done
  for stream in stdin stdout stderr events control; do
    options+=(-device "virtserialport,chardev=$stream,name=$stream")
  done
  if [ -n "$disk" ]; then
    options+=(-drive "file=$(escaped "$disk"),if=virtio,format=raw,snapshot=on")
  fi
  if [ -n "$network" ]; then
    options+=(-netdev "$network,id=network" -device "virtio-net-pci,netdev=network,mac=$(hardware_address)")
  fi
}

add_nodes() { # PROCESSORS SIZE: each node has its share of both
  local share node first=0 next
  share=$(($(mebibytes "$2") / numa))
  # processors of one socket are on one node
  options+=(-smp "$1,sockets=$1" -m "$((share * numa))M")
  for ((node = 0; node < numa; node++)); do
    next=$(($1 * (node + 1) / numa))
    options+=(-object "memory-backend-ram,id=node$node,size=${share}M"
      -numa "node,nodeid=$node,memdev=node$node$([ $first = $next ] || echo ",cpus=$first-$((next - 1))")")
    first=$next
  done
}

add_share() { # TAG PATH EXTRA
  options+=(-virtfs "local,path=$(escaped "$2"),mount_tag=$1,security_model=none,multidevs=remap$3")
}

start_machine() {
  local stdin_end stdout_end stderr_end events_end
  tcg_options=''
  if [ "$accelerator" = tcg ]; then tcg_options=,thread=multi; fi
  machine_options
  # A pipe ends when nobody holds its writing end any more, so each is closed as soon as its owner has it:
  # the feeder alone holds that of stdin, QEMU alone those of the others.
  open_pipe stdin && stdin_end=$read_end feeder_end=$write_end
  open_pipe stdout && stdout_end=$write_end
  pump stdout "$read_end" 1 {stdout_end}>&- {stdin_end}<&- {feeder_end}>&- &
  pump_pids+=($!)
  exec {read_end}<&-
  open_pipe stderr && stderr_end=$write_end
  pump stderr "$read_end" 2 {stdout_end}>&- {stderr_end}>&- {stdin_end}<&- {feeder_end}>&- &
  pump_pids+=($!)
  exec {read_end}<&-
  open_pipe events && events=$read_end events_end=$write_end
  die_with_parent "$qemu" "${options[@]}" <&"$stdin_end" {feeder_end}>&- >"$job/qemu" 2>&1 &
  qemu_pid=$!
  exec {stdin_end}<&- {stdout_end}>&- {stderr_end}>&- {events_end}>&-
  stage "machine switched on"
}

start_feeder() { # not before there is a command: what the caller's input has given is gone
  feed "$feeder_end" <&0 & # said explicitly, for a background process would get /dev/null
  feeder_pid=$!
  exec {feeder_end}>&-
  feeder_end=''
}

follow_machine() { # the events of the machine, each within its deadline; ends the run
  local deadline=$((SECONDS + boot_timeout)) started=no again=no event details status
  while true; do
    status=0
    if [ -z "$deadline" ]; then
      read -r event details <&"$events" || status=$?
    elif [ "$SECONDS" -ge "$deadline" ]; then
      status=142
    else
      read -r -t $((deadline - SECONDS)) event details <&"$events" || status=$?
    fi
    if [ $status -gt 128 ]; then
      if [ $started = yes ]; then fail "$TIMED_OUT" "the command has not ended within $timeout s"; fi
      fail_with_console "the machine has not booted within $boot_timeout s (--boot-timeout)"
    elif [ $status -gt 0 ]; then
      if [ $started = yes ]; then fail_with_console "the machine went down before the command ended"; fi
      if [ $again = yes ] || ! is_torn; then fail_with_console "the machine did not boot"; fi
      again=yes
      start_another_machine
      deadline=$((SECONDS + boot_timeout))
      continue
    fi
    case $event in
      stage) stage "inside: $details" ;;
      failed) fail_with_console "the machine has no usable device: $details" ;;
      started)
        start_feeder
        stage "command started"
        started=yes deadline=''
        if [ -n "$timeout" ]; then deadline=$((SECONDS + timeout)); fi
        ;;
      ended)
        read -r status stdout_bytes stderr_bytes <<<"$details"
        stage "command ended with status $status"
        await_delivery stdout "$stdout_bytes"
        await_delivery stderr "$stderr_bytes"
        tell_kernel_fault
        stop_machine
        stage "done"
        exit "$status"
        ;;
    esac
  done
}

# QEMU before 8.1 may execute half old, half new code when a kernel changes its own while it boots; once in hundreds of boots.
# A cable would be dead at its other end.
is_torn() {
  [ "$accelerator" = tcg ] && [ -z "$network" ] && kernel_fault >/dev/null
}

start_another_machine() {
  say "the kernel of the emulated machine died as it booted, before the command: $(kernel_fault); booting another machine"
  take_down
  exec {events}<&-
  create_job
  start_machine
}

kernel_fault() { # prints the first
  tr -cd '\11\12\40-\176' <"$job/console" 2>/dev/null |
    grep -m1 -oE '(BUG: (kernel|unable) |Oops: |kernel BUG at |general protection fault).*'
}

tell_kernel_fault() { # it kills the thread that met it, so a program may have ended as if nothing had been
  local fault
  fault=$(kernel_fault) || return 0
  say "the kernel of the machine met a fault, which kills the thread that was in it: $fault"
}

fail_with_console() {
  # Console lines of the firmware hold control characters that would clear the caller's terminal.
  tr -cd '\11\12\40-\176' <"$job/console" 2>/dev/null | tail -n 80 | sed 's/^/softroce: console: /' >&2 || true
  sed 's/^/softroce: qemu: /' "$job/qemu" >&2 || true
  fail "$FAILED" "$1"
}

await_pumps() { # they end with QEMU once all is delivered; for a reader that has stopped reading nobody waits
  local pid tries=0
  for pid in "${pump_pids[@]}"; do
    while kill -0 "$pid" 2>/dev/null && [ $tries -lt 10 ]; do
      tries=$((tries + 1))
      sleep 0.1
    done
  done
}

interrupted() { # SIGNAL: dying of it, not only after it, tells the caller's shell what happened
  stop_machine
  trap - EXIT "$1"
  kill -"$1" $$
}

stop_machine() { # safe to call at any time and twice
  local status=$?
  trap '' HUP INT TERM
  set +e
  take_down
  return $status
}

take_down() {
  local pid
  for pid in $qemu_pid $feeder_pid; do kill -KILL "$pid" || true; done 2>/dev/null
  for pid in $qemu_pid $feeder_pid; do wait "$pid" || true; done 2>/dev/null
  if [ -n "$feeder_end" ]; then exec {feeder_end}>&-; fi
  await_pumps
  for pid in $(cat "$job"/*.pump 2>/dev/null) "${pump_pids[@]}"; do kill -KILL "$pid" || true; done 2>/dev/null
  if [ ${#pump_pids[@]} -gt 0 ]; then wait "${pump_pids[@]}" 2>/dev/null || true; fi
  if [ -n "$job" ]; then rm -rf "$job"; fi
  qemu_pid='' feeder_pid='' feeder_end='' pump_pids=() job=''
}
