# shellcheck shell=bash
# What the tool itself says, always on standard error and always with its name in front.

say() { printf 'softroce: %s\n' "$*" >&2; }

fail() { # STATUS SENTENCE...
  local status=$1
  shift
  say "$*"
  exit "$status"
}

started_at=$(date +%s%N)
stage() { # one step of the way to the command, with the time since the start
  if [ "${verbose:-no}" = yes ]; then
    local passed=$((($(date +%s%N) - started_at) / 1000000))
    printf 'softroce: %3d.%03d s  %s\n' $((passed / 1000)) $((passed % 1000)) "$*" >&2
  fi
}
