# shellcheck shell=bash
# What must be installed here and inside the root tree, and how to get what is missing.

missing_packages=()

require() { # DEBIAN-PACKAGE RPM-PACKAGE CHECK...
  local debian=$1 rpm=$2 package known
  shift 2
  if "$@" >/dev/null 2>&1; then return 0; fi
  package=$debian
  if ! command -v apt-get >/dev/null 2>&1 && command -v dnf >/dev/null 2>&1; then package=$rpm; fi
  for known in "${missing_packages[@]}"; do
    if [ "$known" = "$package" ]; then return 0; fi
  done
  missing_packages+=("$package")
}

find_qemu() { # RPM distributions keep it off the PATH
  qemu=$(command -v qemu-system-x86_64) || { qemu=/usr/libexec/qemu-kvm && [ -x "$qemu" ]; }
}

find_busybox() { # it must run where there is no C library
  busybox=$(command -v busybox) && ! ldd "$busybox" | grep -q '=>'
}

in_root() { # TOOL: is it in the root tree? Links there may be absolute, so they are not followed.
  local directory
  for directory in usr/bin bin usr/sbin sbin usr/local/bin usr/local/sbin; do
    if [ -e "${root%/}/$directory/$1" ] || [ -L "${root%/}/$directory/$1" ]; then return 0; fi
  done
  return 1
}

has_rxe_provider() { # the user-space half of the driver
  compgen -G "${root%/}/usr/lib*/libibverbs/librxe*" || compgen -G "${root%/}/usr/lib*/*/libibverbs/librxe*"
}

check_requirements() {
  [ "$(uname -sm)" = 'Linux x86_64' ] || fail "$FAILED" "this machine needs Linux on x86-64, here is $(uname -sm)"
  require qemu-system-x86 qemu-kvm find_qemu
  require busybox-static busybox find_busybox
  require cpio cpio command -v cpio
  require kmod kmod command -v modprobe
  require kmod kmod command -v depmod
  require util-linux util-linux command -v setpriv
  require util-linux util-linux command -v flock
  if [ "$root" = / ]; then
    require iproute2 iproute in_root ip
    require iproute2 iproute in_root rdma
    require ibverbs-providers libibverbs has_rxe_provider
  fi
  if [ ${#missing_packages[@]} -gt 0 ]; then
    say "some packages are missing; install them (as root) with"
    if command -v apt-get >/dev/null 2>&1; then
      say "  apt-get install --no-install-recommends ${missing_packages[*]}"
    elif command -v dnf >/dev/null 2>&1; then
      say "  dnf install ${missing_packages[*]}"
    else
      say "  the package manager of this system; Debian calls them ${missing_packages[*]}"
    fi
    exit "$FAILED"
  fi
  if [ "$root" != / ]; then check_root_tree; fi
}

check_root_tree() {
  local tool missing=()
  for tool in bash env dd ip rdma; do
    in_root "$tool" || missing+=("$tool")
  done
  [ ${#missing[@]} = 0 ] ||
    fail "$FAILED" "the root tree $root lacks ${missing[*]}; on Debian: chroot $root apt-get install iproute2 rdma-core"
  has_rxe_provider >/dev/null ||
    fail "$FAILED" "the root tree $root lacks the Soft-RoCE provider; on Debian: chroot $root apt-get install ibverbs-providers"
}
