# shellcheck shell=bash disable=SC2154 # the caller sets here
# The container image.

image_usage() {
  cat <<'TEXT'
Usage: ./verbs image [OPTION...]

Builds the container image verbs4j:latest (docker/Dockerfile): JDK 25, rdma-core, the tools of Verbs4J, and the
Soft-RoCE machine, so that what it runs has an RDMA device on any Docker host. docker/README.md tells how to use it.

Options are those of docker build, such as
  --build-arg BASE=debian:sid   another Debian
  --network host                where apt-get needs the host's network
  -t NAME                       one more name

Takes some minutes, since packages are downloaded; what is the same as last time is kept by Docker.
Needs a container engine that the docker command reaches, and a JDK 25 or newer.
TEXT
}

build_image() { # OPTION...: of docker build
  case ${1:-} in
    --help | -h) image_usage; return ;;
  esac
  if ! command -v docker >/dev/null; then
    echo "verbs: there is no docker command here; install an engine, as Debian's docker.io, and start it" >&2
    exit 1
  fi
  (build "$tools") || return
  docker build -t verbs4j -f "$here/docker/Dockerfile" "$@" "$here"
}
