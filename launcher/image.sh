# shellcheck shell=bash disable=SC2154 # the caller sets here
# The container image.

build_image() { # OPTION...: of docker build
  if ! command -v docker >/dev/null; then
    echo "verbs: there is no docker command here; install an engine, as Debian's docker.io, and start it" >&2
    exit 1
  fi
  (build "$tools") || return
  docker build -t verbs4j -f "$here/docker/Dockerfile" "$@" "$here"
}
