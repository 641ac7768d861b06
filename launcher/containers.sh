# shellcheck shell=bash disable=SC2154 # the caller sets here
# Tests in containers: with the engine that answers here, else with one of our own, which leaves nothing behind.

engine='' engine_pid='' # directory and process of our own engine

run_container_tests() { # MAVEN ARGUMENT...
  local reason
  find_maven
  settle_jdk
  check_maven_arguments "$@"
  trap stop_engines EXIT
  if answers; then
    echo "Container tests use the engine of this machine: ${DOCKER_HOST:-its default}"
  elif reason=$(no_engine_of_our_own); then
    skip_container_tests "$reason"
    return
  else
    stage 'containers: engine' start_engine
    if [ -z "$engine" ]; then
      skip_container_tests 'dockerd ended, or answers nobody; its last lines are above'
      return
    fi
  fi
  stage 'containers: image' build_test_image
  stage 'containers: tests' container_tests plain "$@"
  if [ -z "$engine" ]; then
    echo "SKIPPED PermissionsIT: it takes the storage of an engine of our own into the Soft-RoCE machine, and here is another"
  else
    stage 'containers: engine with a device' start_engine_with_device
    stage 'containers: missing permissions' container_tests device "$@"
  fi
  stop_engines
  print_stage_times 'All container tests passed.'
}

skip_container_tests() { # WHY
  echo "SKIPPED container tests (ImageIT, PairIT, SoftRoceContainerIT, IntegrationTestsIT, PermissionsIT): no container engine" \
    "answers here (DOCKER_HOST, /var/run/docker.sock), and none can be started: $1"
}

answers() {
  command -v docker >/dev/null && timeout 10 docker version >/dev/null 2>&1
}

no_engine_of_our_own() { # prints why, if so
  if [ "$(id -u)" != 0 ]; then
    echo 'that takes root'
  elif ! command -v dockerd >/dev/null && ! command -v apt-get >/dev/null; then
    echo 'there is neither dockerd nor apt-get to install it with'
  elif [ -e /sys/class/net/docker0 ]; then
    echo 'there is a bridge docker0, of an engine that was killed, or of another user'
  else
    return 1
  fi
}

start_engine() { # everything of it is in a directory of its own, but for the bridge; no engine, if it does not start
  require_packages engine
  is_there docker || install_packages docker-cli # since Debian 13 a package of its own
  engine=$(mktemp -d "${TMPDIR:-/tmp}/verbs4j-engine.XXXXXX")
  setsid dockerd --data-root "$engine/data" --exec-root "$engine/exec" -p "$engine/pid" -H "unix://$engine/docker.sock" \
    --storage-driver overlay2 --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false --bip=172.30.99.1/24 \
    >"$engine/log" 2>&1 </dev/null &
  engine_pid=$!
  export DOCKER_HOST=unix://$engine/docker.sock TESTCONTAINERS_RYUK_DISABLED=true
  await_engine || {
    tail -20 "$engine/log"
    stop_engines
  }
}

await_engine() { # under load it may take a while
  local tries=0
  until answers; do
    tries=$((tries + 1))
    if [ $tries -gt 240 ] || ! kill -0 "$engine_pid" 2>/dev/null; then return 1; fi
    sleep 0.5
  done
}

build_test_image() {
  local base=debian:13-slim
  if [ -n "$engine" ] && ! timeout 30 docker pull -q "$base" >/dev/null 2>&1; then
    base=verbs4j/base:13
    echo "No registry is reached: making the base with debootstrap"
    make_base "$base" || return
  fi
  build_image -q --build-arg "BASE=$base" --network host || return
  docker image prune -f >/dev/null # stages of the build
  docker image ls verbs4j
}

make_base() { # NAME
  local tree=$engine/base
  debootstrap --variant=minbase trixie "$tree" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$engine/debootstrap.log" 2>&1 || {
    tail -20 "$engine/debootstrap.log" >&2
    return 1
  }
  rm -rf "$tree"/var/{cache/apt,lib/apt/lists,log}/*
  tar -C "$tree" -c . | docker import - "$1" >/dev/null || return
  rm -rf "$tree"
}

container_tests() { # GROUP MAVEN ARGUMENT...
  run_maven verify -Pcontainers "-Dcontainers.group=$1" -DskipTests -Dspotless.check.skip=true -pl verbs-containers-it -am "${@:2}"
}

# The engine's storage becomes a disk of the Soft-RoCE machine, where another engine starts on it: a container there may be
# given, or denied, a device.
start_engine_with_device() {
  local port=$((20000 + RANDOM % 10000)) size
  stop_engine
  size=$(du -sm "$engine/data" | cut -f1)
  mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$engine/data" "$engine/disk" $((size * 3 / 2 + 500))M >/dev/null || return
  "$here/softroce/run" --memory 3G --address 10.0.2.15/24 --disk "$engine/disk" \
    --network "user,restrict=on,hostfwd=tcp:127.0.0.1:$port-10.0.2.15:2375" -- "$here/docker/engine" >"$engine/log" 2>&1 </dev/null &
  engine_pid=$!
  export DOCKER_HOST=tcp://127.0.0.1:$port TESTCONTAINERS_HOST_OVERRIDE=localhost
  await_engine || {
    tail -20 "$engine/log" >&2
    return 1
  }
}

stop_engine() {
  [ -n "$engine_pid" ] || return 0
  kill "$engine_pid" 2>/dev/null || true
  wait "$engine_pid" 2>/dev/null || true
  engine_pid=''
  ip link delete docker0 2>/dev/null || true
}

stop_engines() { # also when a test has failed
  [ -n "$engine" ] || return 0
  stop_engine
  umount "$engine/exec/netns/default" 2>/dev/null || true # of containers with the host's network
  rm -rf "$engine"
  engine=''
}
