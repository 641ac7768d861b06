# shellcheck shell=bash disable=SC2154 # the caller sets here
# Building what is stale and nothing else.

stamp=$here/target/built
without_tests='-Dmaven.test.skip=true -Dspotless.check.skip=true'

sources() { # a line for every file that the tools are built from
  (cd "$here" && find pom.xml .mvn verbs-{native,core,tools}/pom.xml verbs-{native,core,tools}/src/main \
    verbs-native/src/generated -type f -printf '%p %s %T@\n' | LC_ALL=C sort)
}

is_built() {
  [ -f "$stamp" ] && [ "$(sources)" = "$(cat "$stamp")" ]
}

build() {
  ! is_built || return 0
  if ! mkdir -p "$here/target" 2>/dev/null || ! [ -w "$here/target" ]; then
    echo "verbs: Verbs4J has to be built, and $here may not be written to: build it as its owner, or clone it to a place" \
      "of your own" >&2
    exit 1
  fi
  find_maven
  exec 9>"$here/target/lock"
  flock 9 # another ./verbs may be building
  if ! is_built; then
    local now log=$here/target/build.log
    now=$(sources)
    echo "Building ..." >&2
    # shellcheck disable=SC2086 # two words
    if ! run_maven -q $without_tests -pl verbs-native,verbs-core,verbs-tools package >"$log" 2>&1; then
      grep -E '^\[?(.\[[0-9;]*m)?\[?(ERROR|FATAL)' "$log" >&2 || tail -40 "$log" >&2
      echo "verbs: the build failed; all of it is in target/build.log" >&2
      exit 1
    fi
    echo "$now" >"$stamp"
  fi
  exec 9>&-
}

run_tool() { # ARGUMENT...
  build
  local jdk tools=$here/verbs-tools/target
  jdk=$(find_jdk)
  # the serial collector starts faster, and the tools make no garbage to speak of
  exec "$jdk/bin/java" -XX:+UseSerialGC --enable-native-access=io.github.verbs4j.ffi \
    -p "$(echo "$tools"/verbs-tools-*.jar):$tools/lib" -m io.github.verbs4j.tools/io.github.verbs4j.tools.Main "$@"
}

has_rdma_device() {
  compgen -G '/sys/class/infiniband/*' >/dev/null
}
