# shellcheck shell=bash disable=SC2154 # the caller sets here
# All integration tests on each Debian that we work on, user space and kernel, with each JDK: ./verbs matrix.

matrix_releases=(bookworm trixie)
matrix_packages=(libibverbs1 ibverbs-providers ibverbs-utils librdmacm1 rdmacm-utils rdma-core perftest python3-pyverbs libibverbs-dev
  librdmacm-dev gcc libc6-dev iproute2 kmod procps strace ca-certificates linux-image-amd64)

matrix_usage() {
  cat <<'TEXT'
Usage: ./verbs matrix [--write] [RELEASE...]

Runs all integration tests in the Soft-RoCE machine on each RELEASE of Debian, user space and kernel, with each JDK 25
or newer that is installed here. Prints a table; the status is 1 if anything in it failed.

  RELEASE   bookworm (Debian 12), trixie (Debian 13); both if none is given
  --write   put the rows into docs/compatibility.md too

A row takes about half an hour on two processors without hardware virtualisation. The first start makes a root tree
for each release, some minutes, below ${XDG_CACHE_HOME:-~/.cache}/verbs4j/roots; delete a tree to get newer packages.
What the tests said is in target/matrix.

Needs mmdebstrap, QEMU, Maven and a C compiler, which are installed where that may be; root, or user namespaces that
everybody may make; and a mirror of Debian (DEBIAN_MIRROR names another one).
TEXT
}

run_matrix() { # [--write] [RELEASE...]
  local write=no releases=() jdks=() release jdk rows='' row begun failed=0
  while [ $# -gt 0 ]; do
    case $1 in
      --write) write=yes ;;
      --help | -h) matrix_usage; return ;;
      bookworm | trixie) releases+=("$1") ;;
      *)
        echo "verbs matrix: there is no row '$1'; rows are ${matrix_releases[*]}, the option is --write; see ./verbs help matrix" >&2
        exit 2
        ;;
    esac
    shift
  done
  [ ${#releases[@]} -gt 0 ] || releases=("${matrix_releases[@]}")
  require_packages softroce matrix compile test
  find_maven
  mapfile -t jdks < <(find_jdks)
  [ ${#jdks[@]} -gt 0 ] || find_jdk # which says where it looked
  mkdir -p "$here/target/matrix"
  for release in "${releases[@]}"; do
    begun=$SECONDS
    prepare_root "$release"
    note_stage "Debian $release: root tree" "$begun"
    for jdk in "${jdks[@]}"; do
      begun=$SECONDS
      test_row "$release" "$jdk"
      note_stage "Debian $release, $(jdk_version "$jdk")" "$begun"
      row=$(matrix_row "$release" "$jdk")
      [[ $row == *'| passed |' ]] || failed=1
      rows+=$row$'\n'
    done
  done
  echo
  matrix_table "$rows"
  print_stage_times 'What the tests said is in target/matrix.'
  if [ $write = yes ]; then
    write_compatibility "$rows"
    echo "Written to docs/compatibility.md"
  fi
  return $failed
}

matrix_root() { # RELEASE
  echo "${XDG_CACHE_HOME:-$HOME/.cache}/verbs4j/roots/$1"
}

# A tree of its own, and the kernel in it: made once, without root where user namespaces are allowed.
prepare_root() { # RELEASE
  local root log=$here/target/matrix/$1.log
  root=$(matrix_root "$1")
  [ ! -d "$root" ] || return 0
  mkdir -p "$(dirname "$root")"
  echo "Making a root tree of Debian $1 in $root (some minutes) ..."
  rm -rf "$root.building"
  if ! mmdebstrap --variant=minbase --include="$(IFS=,; echo "${matrix_packages[*]}")" "$1" "$root.building" \
    "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "verbs: no root tree of Debian $1; all of it is in $log. DEBIAN_MIRROR names another mirror" >&2
    exit 1
  fi
  mv "$root.building" "$root"
}

row_log() { # RELEASE JDK
  echo "$here/target/matrix/$1-$(basename "$2").log"
}

test_row() { # RELEASE JDK
  local root options
  root=$(matrix_root "$1")
  options="--memory 8G --numa 2 --timeout 3600 --root $root --kernel $root --readable $2 --readable $HOME/.m2 --readable $here"
  [ ! -d /etc/java-25-openjdk ] || options+=" --readable /etc/java-25-openjdk" # where Debian's JDK has its settings
  echo
  echo "=== Debian $1, $(jdk_version "$2")"
  JAVA_HOME=$2 run_maven verify -pl verbs-it -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
    -Dspotless.check.skip=true "-Dit.jvm=$here/softroce/bin/java" "-Dit.softroce.options=$options" 2>&1 </dev/null | tee "$(row_log "$1" "$2")" |
    grep --line-buffered -aE 'Integration tests|Tests run:|^  skipped|ERROR|softroce: ' || true
}

matrix_row() { # RELEASE JDK
  local log kernel core counts result=FAILED
  log=$(row_log "$1" "$2")
  # as RunReport prints it: ... GID ..., kernel 6.12.1-amd64, rdma-core 56.1, in the Soft-RoCE machine
  kernel=$(sed -n 's/^Integration tests on .*, kernel \([^,]*\),.*/\1/p' "$log")
  core=$(sed -n 's/^Integration tests on .*, rdma-core \([^,]*\),.*/\1/p' "$log")
  counts=$(sed -n 's/^Integration tests: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped.*/\1 | \2 | \3/p' "$log")
  if grep -q 'BUILD SUCCESS' "$log" && [[ $counts == *' | 0 | '* ]]; then result=passed; fi
  echo "| $(release_name "$1") | ${kernel:-?} | ${core:-?} | $(jdk_version "$2") | ${counts:-0 | ? | ?} | $result |"
}

release_name() { # RELEASE
  sed -n 's/^PRETTY_NAME="Debian GNU\/Linux \(.*\)"/Debian \1/p' "$(matrix_root "$1")/etc/os-release"
}

jdk_version() { # HOME: such as Eclipse Adoptium 25.0.1
  local implementor version
  implementor=$(sed -n 's/^IMPLEMENTOR="\(.*\)"/\1/p' "$1/release")
  version=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$1/release")
  echo "${implementor:-JDK} $version"
}

matrix_table() { # ROWS
  cat <<'TEXT'
| user space | kernel | rdma-core | JDK | passed | failed | skipped | |
|---|---|---|---|---|---|---|---|
TEXT
  printf '%s' "$1"
}

write_compatibility() { # ROWS: between the marks; the rows of a release that was not tested stay
  local page=$here/docs/compatibility.md release rows
  rows=$(for release in "${matrix_releases[@]}"; do
    grep -F "($release)" <<<"$1" || sed -n '/<!-- matrix -->/,/<!-- end of matrix -->/p' "$page" | grep -F "($release)" || true
  done)
  {
    sed '/<!-- matrix -->/q' "$page"
    matrix_table "$rows"$'\n'
    sed -n '/<!-- end of matrix -->/,$p' "$page"
  } >"$page.new"
  mv "$page.new" "$page"
}
