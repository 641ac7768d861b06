# shellcheck shell=bash
# The three standard streams. Each passes through a named pipe of the job, because QEMU opens things by name and makes
# them non-blocking, which must not happen to the caller's own.
#   caller -> feeder -> pipe -> QEMU -> port -> command          (standard input, the end of it included)
#   command -> port -> QEMU -> pipe -> pump -> caller            (standard output and error)
# A port has no end of stream towards the caller. The machine therefore reports how many bytes it sent, and the run is
# over when the pump has delivered as many.

note_closed_streams() { # before anything is opened, which would take the free numbers
  closed=''
  [ -e /proc/self/fd/0 ] || { closed+=' stdin' && exec </dev/null; }
  [ -e /proc/self/fd/1 ] || { closed+=' stdout' && exec >/dev/null; }
  [ -e /proc/self/fd/2 ] || { closed+=' stderr' && exec 2>/dev/null; }
  merged=no # one and the same file: then the order of the two is kept by making them one in the machine too
  if [[ $closed != *stdout* && $closed != *stderr* ]] && [ /proc/self/fd/1 -ef /proc/self/fd/2 ]; then merged=yes; fi
}

die_with_parent() { # COMMAND...: replaces this process; it ends with the run, even when that is killed outright
  # Expansion is left to the inner shell.
  # shellcheck disable=SC2016
  exec setpriv --pdeathsig KILL -- /bin/sh -c '[ "$PPID" = "$0" ] && exec "$@"' "$$" "$@"
}

open_pipe() { # NAME: both ends at once, so that no opening waits for another
  local both
  mkfifo "$job/$1"
  # shellcheck disable=SC2094
  exec {both}<>"$job/$1" {read_end}<"$job/$1" {write_end}>"$job/$1" {both}>&-
}

feed() { # TARGET-DESCRIPTOR
  die_with_parent cat >&"$1"
}

pump() { # NAME PIPE-DESCRIPTOR TARGET-DESCRIPTOR
  local name=$1 parent
  # Not cat: dd tells how many bytes it has copied when it is asked by a signal.
  LC_ALL=C dd bs=64K <&"$2" >&"$3" 2>"$job/$name.copied" &
  echo $! >"$job/$name.pump"
  if ! wait $!; then
    # The caller closed its end. The command must learn that as it would from a pipe of its own.
    : >"$job/$name.closed"
    echo "closed $name" 1<>"$job/control.in"
    cat <&"$2" >/dev/null
  fi
  # Killed outright, the run cannot tidy up; its pumps end with QEMU and can.
  read -r _ _ _ parent _ <"/proc/$BASHPID/stat"
  if [ "$parent" != "$$" ]; then rm -rf "$job"; fi
}

await_delivery() { # NAME BYTES
  local pump copied pause=1
  pump=$(cat "$job/$1.pump")
  while [ ! -e "$job/$1.closed" ] && kill -USR1 "$pump" 2>/dev/null; do
    copied=$(sed -n 's/^\([0-9]*\) byte.*/\1/p' "$job/$1.copied" | tail -n 1)
    if [ "${copied:-0}" -ge "$2" ]; then return 0; fi
    sleep "0.0$pause"
    if [ $pause -lt 9 ]; then pause=$((pause + 1)); fi
  done
}
