# shellcheck shell=bash
# The initial RAM disk: busybox, the modules in loading order, and the two scripts that run inside.

# Loaded when the kernel has them: rxe wants a crc32 before it loads, tests want network queues and pairs.
optional_modules='crc32_generic crc32-pclmul crc32-cryptoapi virtio_net virtio_blk veth'

prepare_initrd() {
  local key
  key=$(cat "$here/machine/init" "$here/machine/guest" "$here/lib/initrd.sh" <(stat -Lc '%n %s %Y' "$vmlinuz" "$busybox") |
    sha256sum)
  initrd=$cache/initrd-${key:0:16}
  if [ -s "$initrd" ]; then return 0; fi
  stage "building the initial RAM disk"
  build_initrd || fail "$FAILED" "cannot build the initial RAM disk $initrd"
  # Old ones go, except those that a run of another version may be about to open.
  find "$cache" -maxdepth 1 -name 'initrd-*' -mtime +7 -delete
}

build_initrd() {
  local tree
  tree=$(mktemp -d "$cache/building.XXXXXX")
  mkdir -p "$tree"/{bin,proc,sys,dev,modules}
  cp "$busybox" "$tree/bin/busybox" && install -m 755 "$here/machine/init" "$tree/init" &&
    install -m 755 "$here/machine/guest" "$tree/guest" && copy_modules "$tree/modules" &&
    (cd "$tree" && find . | cpio -o -H newc --quiet | gzip -1) >"$tree.gz" &&
    mv "$tree.gz" "$initrd"
  local status=$?
  rm -rf "$tree" "$tree.gz"
  return $status
}

copy_modules() { # DIRECTORY: decompressed here, because busybox inside cannot do every format
  local module file name
  # Word splitting of the two lists is meant.
  # shellcheck disable=SC2086
  for module in $needed_modules $optional_modules; do
    modprobe -d "$kernel_tree" -S "$kernel_version" --show-depends "$module" 2>/dev/null || true
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$1/list"
  while IFS= read -r file; do
    name=$(basename "$file")
    case $name in
      *.ko) cp "$file" "$1/$name" ;;
      *.ko.xz) name=${name%.xz} && require_unpacker xz xz-utils && xz -dc "$file" >"$1/$name" ;;
      *.ko.gz) name=${name%.gz} && gzip -dc "$file" >"$1/$name" ;;
      *.ko.zst) name=${name%.zst} && require_unpacker zstd zstd && zstd -dcq "$file" >"$1/$name" ;;
    esac || return 1
    echo "$name" >>"$1/order"
  done <"$1/list"
}

require_unpacker() { # COMMAND DEBIAN-PACKAGE: only the kernel that was chosen tells which one is needed
  command -v "$1" >/dev/null ||
    fail "$FAILED" "the modules of kernel $kernel_version are packed with $1, which is missing; as root: apt-get install --no-install-recommends $2"
}
