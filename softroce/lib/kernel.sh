# shellcheck shell=bash
# Which kernel boots: a directory (kernel_tree) with boot/vmlinuz-VERSION and lib/modules/VERSION.
# Nothing is installed: a kernel that is not here is downloaded as a package and unpacked into the cache.

# Without these there is no machine; a kernel may have them built in.
needed_modules='virtio_pci virtio_console 9p 9pnet_virtio overlay dummy ib_uverbs rdma_ucm rdma_rxe'
kernel_tree='' kernel_version='' vmlinuz=''

open_cache() { # the lock lets first runs that start together do the work once
  cache=${SOFTROCE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/verbs4j/softroce}
  { mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null ||
    fail "$FAILED" "cannot write the cache $cache; set HOME, XDG_CACHE_HOME or SOFTROCE_CACHE to a directory of your own"
  exec {cache_lock}>>"$cache/lock"
  flock "$cache_lock"
  # Left by runs that were interrupted; who holds the lock knows that nobody is at it.
  rm -rf "$cache"/{download,building,unpacking}.*
}

close_cache() { exec {cache_lock}>&-; }

choose_kernel() {
  local version
  if [ -d "$kernel" ]; then
    use_tree "$(realpath "$kernel")" '*' || fail "$FAILED" "$kernel is not a usable kernel directory: $unusable"
  elif [[ $kernel = */* ]]; then
    fail "$MISUSED" "--kernel: there is no directory '$kernel'"
  elif [ -n "$kernel" ]; then
    use_known_kernel "$kernel" || { download_kernel "$kernel" && use_tree "$cache/kernel-$kernel" "$kernel"; } ||
      fail "$FAILED" "kernel $kernel is neither installed nor to be downloaded: ${unusable:-no such package}"
  elif ! use_known_kernel '*'; then
    version=$(newest_kernel_package) ||
      fail "$FAILED" "no usable kernel is installed${unusable:+ ($unusable)} and none can be downloaded here; pass --kernel DIR"
    { download_kernel "$version" && use_tree "$cache/kernel-$version" "$version"; } ||
      fail "$FAILED" "the downloaded kernel $version cannot be used: ${unusable:-the download failed}"
  fi
  stage "kernel $kernel_version from $kernel_tree"
}

use_known_kernel() { # VERSION-PATTERN: downloaded before, else installed
  local tree
  for tree in "$cache"/kernel-*/; do
    if [ -d "$tree" ] && use_tree "${tree%/}" "$1"; then return 0; fi
  done
  use_tree / "$1"
}

use_tree() { # TREE VERSION-PATTERN: take the newest kernel there that has everything
  local base=${1%/} file version
  unusable="no readable vmlinuz for $2 in $1"
  while IFS= read -r version; do
    for file in "$base/boot/vmlinuz-$version" "$base/lib/modules/$version/vmlinuz"; do
      if [ -r "$file" ] && has_modules "$base" "$version"; then
        kernel_tree=$1 kernel_version=$version vmlinuz=$file
        return 0
      fi
    done
  done < <(kernel_versions "$base" "$2" | sort -rV)
  return 1
}

kernel_versions() { # BASE VERSION-PATTERN
  local directory
  # The pattern is one on purpose.
  # shellcheck disable=SC2231
  for directory in "$1"/lib/modules/$2/; do
    [ ! -d "$directory" ] || basename "$directory"
  done
}

has_modules() { # BASE VERSION: sets unusable when not
  local module
  if [ ! -e "$1/lib/modules/$2/modules.dep" ] && ! depmod -b "${1:-/}" "$2" 2>/dev/null; then
    unusable="$1/lib/modules/$2 has no modules.dep; run depmod -b ${1:-/} $2"
    return 1
  fi
  for module in $needed_modules; do
    if ! modprobe -d "${1:-/}" -S "$2" --show-depends "$module" >/dev/null 2>&1; then
      unusable="kernel $2 lacks the module $module"
      return 1
    fi
  done
}

newest_kernel_package() { # version behind the distribution's moving kernel package
  local package version
  command -v apt-get >/dev/null 2>&1 || return 1
  for package in linux-image-amd64 linux-image-generic; do
    version=$(apt-cache depends "$package" 2>/dev/null |
      sed -n 's/^ *Depends: linux-image-\([0-9].*\)/\1/p' | head -n 1)
    if [ -n "$version" ]; then
      echo "$version"
      return 0
    fi
  done
  return 1
}

download_kernel() { # VERSION; a tree appears in the cache only when it is complete
  local version=$1 work package
  command -v apt-get >/dev/null 2>&1 || return 1
  stage "downloading kernel $version"
  work=$(mktemp -d "$cache/download.XXXXXX")
  for package in linux-image linux-modules linux-modules-extra; do # Debian has it all in the first
    (cd "$work" && apt-get download -q "$package-$version") >"$work/log" 2>&1 ||
      [ "$package" != linux-image ] || { tail -n 3 "$work/log" >&2; rm -rf "$work"; return 1; }
  done
  for package in "$work"/*.deb; do
    dpkg -x "$package" "$work/tree" || { rm -rf "$work"; return 1; }
  done
  if [ ! -d "$work/tree/lib" ]; then ln -s usr/lib "$work/tree/lib"; fi
  depmod -b "$work/tree" "$version"
  rm -rf "$cache/kernel-$version"
  mv "$work/tree" "$cache/kernel-$version"
  rm -rf "$work"
}
