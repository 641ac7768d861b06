# shellcheck shell=bash
# The kernel without its self-extracting wrapper. Unpacking is quick here and takes emulated hardware five seconds of
# each boot; QEMU starts an unpacked kernel directly when it was built with the PVH entry.

prepare_vmlinux() { # sets boot_image; the packed kernel when anything is not as expected
  local key work
  boot_image=$vmlinuz
  # PVH is stated only by the kernel's configuration, which lies next to it.
  if ! grep -qs '^CONFIG_PVH=y' "${vmlinuz%/*}/config-$kernel_version"; then return 0; fi
  key=$(stat -Lc '%n %s %Y' "$vmlinuz" | sha256sum)
  if [ ! -s "$cache/vmlinux-${key:0:16}" ]; then
    stage "unpacking the kernel"
    work=$(mktemp "$cache/unpacking.XXXXXX")
    if ! unpack_kernel "$vmlinuz" >"$work" 2>/dev/null || [ "$(head -c 4 "$work" | tail -c 3)" != ELF ]; then
      rm -f "$work"
      return 0
    fi
    mv "$work" "$cache/vmlinux-${key:0:16}"
    find "$cache" -maxdepth 1 -name 'vmlinux-*' -mtime +7 -delete
  fi
  boot_image=$cache/vmlinux-${key:0:16}
}

number_at() { # FILE OFFSET BYTES
  od -An -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

unpack_kernel() { # FILE, see "The Linux/x86 Boot Protocol": setup_sects, payload_offset, payload_length
  local offset length
  offset=$((($(number_at "$1" 497 1) + 1) * 512 + $(number_at "$1" 584 4)))
  length=$(($(number_at "$1" 588 4) - 4)) # the last four bytes are the unpacked size, not data
  dd if="$1" bs=64K iflag=skip_bytes,count_bytes skip=$offset count=$length status=none | case $(number_at "$1" $offset 4) in
    1484404733) xz -dc ;;
    4247762216) zstd -dcq ;;
    *) gzip -dc ;;
  esac
}
