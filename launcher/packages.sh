# shellcheck shell=bash
# What must be installed for a task, and installing it.

packages_of() { # TASK: one "PACKAGE PROOF" a line; the proof is a command, or the pattern of a file, that the package brings
  case $1 in
    run) cat <<'TEXT' ;;
libibverbs1 /usr/lib/*/libibverbs.so.1
ibverbs-providers /etc/libibverbs.d/rxe.driver
TEXT
    connect) echo 'librdmacm1 /usr/lib/*/librdmacm.so.1' ;;
    demo) echo 'ibverbs-utils ibv_rc_pingpong' ;; # for comparison
    softroce) cat <<'TEXT' ;;
qemu-system-x86 qemu-system-x86_64
busybox-static /bin/busybox
cpio cpio
kmod modprobe
iproute2 rdma
TEXT
    bench) cat <<'TEXT' ;;
gcc gcc
libc6-dev /usr/include/*/gnu/libc-version.h
libibverbs-dev /usr/include/infiniband/verbs.h
TEXT
    report) cat <<'TEXT' ;;
fontconfig fc-list
fonts-dejavu-core /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
TEXT
    maven) echo 'maven mvn' ;;
    engine) cat <<'TEXT' ;;
docker.io dockerd
debootstrap debootstrap
e2fsprogs mke2fs
TEXT
    matrix) cat <<'TEXT' ;;
mmdebstrap mmdebstrap
debian-archive-keyring /usr/share/keyrings/debian-archive-keyring.gpg
TEXT
    compile) cat <<'TEXT' ;; # the fake libraries of the tests
gcc gcc
libc6-dev /usr/include/*/gnu/libc-version.h
libibverbs-dev /usr/include/infiniband/verbs.h
librdmacm-dev /usr/include/rdma/rdma_cma.h
TEXT
    test) cat <<'TEXT' ;;
librdmacm1 /usr/lib/*/librdmacm.so.1
gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
libc6-dev-arm64-cross /usr/aarch64-linux-gnu/include/stdio.h
shellcheck shellcheck
strace strace
rdmacm-utils rping
python3-pyverbs /usr/share/doc/rdma-core/tests/run_tests.py
TEXT
  esac
}

is_there() { # PROOF
  case $1 in
    /*) compgen -G "$1" >/dev/null ;;
    *) PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin command -v "$1" >/dev/null ;;
  esac
}

require_packages() { # TASK...
  local task package proof missing=()
  for task in "$@"; do
    while read -r package proof; do
      is_there "$proof" || missing+=("$package")
    done < <(packages_of "$task")
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

install_packages() { # PACKAGE...
  local line=(apt-get install -y --no-install-recommends "$@") root=()
  if ! command -v apt-get >/dev/null; then
    echo "verbs: missing: what Debian calls $*; install it with your package manager" \
      "(RHEL family: dnf install libibverbs libibverbs-utils librdmacm rdma-core-devel qemu-kvm busybox cpio kmod iproute maven)" >&2
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      echo "verbs: missing: $*; type" >&2
      echo "  sudo ${line[*]}" >&2
      exit 1
    fi
    root=(sudo -n)
  fi
  echo "Installing $* ..." >&2
  local log
  log=$(mktemp)
  # small bases leave documentation out, and there the suite of rdma-core is
  if ! { "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive "${line[@]}" \
    -o 'DPkg::Options::=--path-include=/usr/share/doc/rdma-core/*'; } >"$log" 2>&1 </dev/null; then
    tail -20 "$log" >&2
    echo "verbs: could not install; type" >&2
    echo "  sudo apt-get update && sudo ${line[*]}" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
