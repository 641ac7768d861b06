# shellcheck shell=bash disable=SC2154 # the caller sets here
# Building what is stale and nothing else.

without_tests='-Dmaven.test.skip=true -Dspotless.check.skip=true'

tools=native,core,tools
benchmarks=native,core,bench

sources() { # MODULES: a line for every file that they are built from
  (cd "$here" && eval "find pom.xml .mvn verbs-{$1}/pom.xml verbs-{$1}/src/main" verbs-native/src/generated \
    -type f -printf "'%p %s %T@\n'" | LC_ALL=C sort)
}

is_built() { # MODULES
  [ -f "$here/target/built-$1" ] && [ "$(sources "$1")" = "$(cat "$here/target/built-$1")" ]
}

is_source_tree() { # an image holds what was built, and nothing to build it from
  [ -e "$here/pom.xml" ]
}

build() { # MODULES
  if ! is_source_tree; then
    compgen -G "$here/verbs-${1##*,}/target/*.jar" >/dev/null && return
    echo "verbs: this needs the sources of Verbs4J: git clone them, and run it there" >&2
    exit 1
  fi
  ! is_built "$1" || return 0
  if ! mkdir -p "$here/target" 2>/dev/null || ! [ -w "$here/target" ]; then
    echo "verbs: Verbs4J has to be built, and $here may not be written to: build it as its owner, or clone it to a place" \
      "of your own" >&2
    exit 1
  fi
  find_maven
  exec 9>"$here/target/lock"
  flock 9 # another ./verbs may be building
  if ! is_built "$1"; then
    local now log=$here/target/build.log
    now=$(sources "$1")
    settle_jdk # which may say something, and Maven's output goes into a file
    echo "Building ..." >&2
    # shellcheck disable=SC2086 # two words
    if ! run_maven -q $without_tests -pl "verbs-${1//,/,verbs-}" package >"$log" 2>&1; then
      grep -E '^\[(ERROR|FATAL)' "$log" >&2 || tail -40 "$log" >&2
      echo "verbs: the build failed; all of it is in target/build.log" >&2
      exit 1
    fi
    echo "$now" >"$here/target/built-$1"
  fi
  exec 9>&-
}

build_for() { # COMMAND: what it needs in the Soft-RoCE machine, where building would take many minutes
  case $1 in
    *'/verbs bench '*) (build "$benchmarks") ;;
    *'/verbs '*) (build "$tools") ;;
  esac
}

install_usage() {
  cat <<'TEXT'
Usage: ./verbs install

Builds Verbs4J and puts it into your local Maven repository (~/.m2/repository): verbs-core, verbs-native, which it needs,
and verbs-testkit, for tests. No test is run. The README has the lines for your pom.xml.

Takes about half a minute, and some minutes more where Maven has to download what it works with first.
Needs a JDK 25 or newer, and Maven, which is installed where that may be.
TEXT
}

install_all() { # [--help]
  case $#${1:-} in
    0) ;;
    1--help | 1-h) install_usage; return ;;
    *)
      echo "verbs install: takes no arguments, not '$1'; see ./verbs help install" >&2
      exit 2
      ;;
  esac
  find_maven
  settle_jdk
  echo "Building ..." >&2
  # shellcheck disable=SC2086 # two words
  run_maven -q $without_tests -pl verbs-native,verbs-core,verbs-tools,verbs-testkit -am install
  echo "In your local Maven repository: io.github.verbs4j:verbs-core:0.1.0-SNAPSHOT (and verbs-native, which it needs)," \
    "and verbs-testkit for tests"
}

run_tool() { # ARGUMENT...
  settle_jdk
  build "$tools"
  local target=$here/verbs-tools/target options=()
  if is_emulated; then options=(-XX:TieredStopAtLevel=1); fi # see softroce/README.md, SIGSEGV
  # the serial collector starts faster, and the tools make no garbage to speak of
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC "${options[@]}" --enable-native-access=io.github.verbs4j.ffi \
    -p "$(echo "$target"/verbs-tools-*.jar):$target/lib" -m io.github.verbs4j.tools/io.github.verbs4j.tools.Main "$@"
}

run_bench() { # ARGUMENT...
  settle_jdk
  build "$benchmarks"
  local pinned=() options=()
  case ${1:-} in
    overhead) pinned=(taskset -c "$(taskset -cp $$ | sed 's/.*[-,: ]//')") ;; # all on one core, the last that we may use
    pingpong) options=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC) ;; # it conducts, and should not be in the players' way
    start) if is_emulated; then options=(-XX:TieredStopAtLevel=1); fi ;; # see softroce/README.md, SIGSEGV
  esac
  # what is left when the machine is stopped goes with it, while /tmp is shared
  if is_emulated; then options+=(-Djava.io.tmpdir=/dev/shm); fi
  exec "${pinned[@]}" "$JAVA_HOME/bin/java" "${options[@]}" --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow `# JMH's own` -Dio.github.verbs4j.bench.results="$here/target/bench" \
    -Dio.github.verbs4j.bench.report="$here/docs/benchmarks" \
    -cp "$here/verbs-bench/target/benchmarks.jar" io.github.verbs4j.bench.Bench "$@"
}

run_bench_on_device() { # ARGUMENT...
  has_rdma_device || {
    require_packages softroce
    case " $* " in
      *' -h '* | *' --help '* | *' -V '* | *' --version '*) run_bench "$@" ;;
    esac
    settle_jdk # for both, the next line's and the machine's
    (run_bench "$1" --check-usage "${@:2}") || exit # a machine is too long a wait for a misspelt option
    local results shares=(--writable "$here/target")
    results=$(results_of "$@")
    [ -z "$results" ] || shares+=(--writable "$results")
    echo "No RDMA device on this machine: starting Soft-RoCE, the kernel's own RDMA device, in a small virtual machine." >&2
    echo "The machine is emulated: its times are not RDMA latency. The first line takes some minutes." >&2
    exec "$here/softroce/run" --memory 4G --timeout 3600 "${shares[@]}" -- "$here/verbs" bench "$@"
  }
  run_bench "$@"
}

results_of() { # ARGUMENT...: the directory of --results, which is there once the usage was checked
  while [ $# -gt 0 ]; do
    case $1 in
      --results=*) realpath "${1#*=}" ;;
      --results) realpath "${2:-}" ;;
    esac
    shift
  done
}

is_emulated() {
  grep -q '^model name.*QEMU TCG' /proc/cpuinfo
}

has_rdma_device() {
  compgen -G '/sys/class/infiniband/*' >/dev/null
}
