# shellcheck shell=bash
# The job: a private directory that tells the machine what to do. The machine sees it as a share, so no path and no
# argument ever stands on the kernel's command line.

create_job() {
  job=$(mktemp -d "${TMPDIR:-/tmp}/softroce.XXXXXX")
  mkdir "$job/order" "$job/order/shares"
  printf '%s\0' "${command[@]}" >"$job/order/command"
  cat "/proc/$$/environ" >"$job/order/environment" # as it was given to this run, before any change of ours
  pwd -P | head -c -1 >"$job/order/directory"
  printf '%s\n' "${addresses[@]}" >"$job/order/addresses"
  {
    echo "umask=$(umask)"
    echo "memlock=$memlock"
    echo "user=$(printf %q "$user")"
    echo "closed='$closed'"
    echo "merged=$merged"
    echo "hardware_address=$(hardware_address)"
  } >"$job/order/settings"
  mkfifo "$job/control.in" "$job/control.out"
  list_shares
}

hardware_address() { # told apart by the first address, and the same every time
  local octets
  if [[ ${addresses[0]} =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)/ ]]; then
    octets=("${BASH_REMATCH[@]:1}")
  else
    read -r -a octets < <(echo "${addresses[0]}" | sha256sum | sed 's/\(..\)\(..\)\(..\)\(..\).*/0x\1 0x\2 0x\3 0x\4/')
  fi
  printf '52:54:%02x:%02x:%02x:%02x' "${octets[@]}"
}

list_shares() { # sets shares: "TAG PATH" in mounting order, an outer directory before an inner one
  local path mode entry outer='' number=0 entries=()
  shares=()
  for path in "${readable[@]}"; do entries+=("$(realpath "$path")"$'\tr'); done
  for path in . /tmp "${writable[@]}"; do entries+=("$(realpath "$path")"$'\tw'); done
  while IFS= read -r -d '' entry; do
    path=${entry%$'\t'*} mode=${entry##*$'\t'}
    # The whole file system is never handed out for writing, even when it is the working directory.
    if [ "$path" = / ] || [ "$entry" = "$outer" ]; then continue; fi
    # What lies inside a share of the same kind is there already.
    if [ -n "$outer" ] && [ "$mode" = "${outer##*$'\t'}" ] && reachable "${outer%$'\t'*}" "$path"; then continue; fi
    outer=$entry
    shares+=("$mode$number $path")
    printf %s "$path" >"$job/order/shares/$(printf '%02d' $number)-$mode$number"
    number=$((number + 1))
  done < <(printf '%s\0' "${entries[@]}" | sort -z)
}

reachable() { # OUTER PATH: is PATH in OUTER, and every directory between readable? QEMU cannot pass one that is not
  local directory=$2
  [[ $2/ = "$1"/* ]] || return 1
  while [ "$directory" != "$1" ]; do
    directory=$(dirname "$directory" && echo .) # the dot keeps newlines at the end of a name
    directory=${directory%$'\n.'}
    [ -r "$directory" ] || return 1
  done
}
