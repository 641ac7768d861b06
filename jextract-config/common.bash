# What generate, verify and refresh-lists share. Sourced, never run.
# shellcheck shell=bash

CONFIG_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PACKAGE_PATH=io/github/verbs4j/ffi
# shellcheck disable=SC2034 # used by the scripts that source this one
GENERATED_ROOT=$(dirname "$CONFIG_DIR")/verbs-native/src/generated/java

# The versions that the committed sources were made with.
RDMA_CORE_VERSION=44
MAX_LIBCLANG=14

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 2
}

# Finds jextract ($JEXTRACT, else the PATH) and refuses a libclang that is too new for it.
require_jextract() {
    JEXTRACT=${JEXTRACT:-jextract}
    [[ $JEXTRACT != */* || $JEXTRACT == /* ]] || JEXTRACT=$PWD/$JEXTRACT
    command -v "$JEXTRACT" >/dev/null || fail "'$JEXTRACT' not found." \
        "Install jextract (README.md, \"What you need\"), then put it on the PATH" \
        "or set JEXTRACT=/path/to/bin/jextract."

    local version major
    version=$("$JEXTRACT" --version 2>&1) || fail "'$JEXTRACT --version' failed; often libclang.so is missing:" \
        "install libclang-$MAX_LIBCLANG-dev and build jextract with it. jextract said:" $'\n'"$version"
    major=$(sed -nE 's/.*clang version ([0-9]+)\..*/\1/p' <<<"$version" | head -n 1)
    [[ -n $major ]] || fail "cannot tell the libclang version from '$JEXTRACT --version', which said:" $'\n'"$version"
    ((major <= MAX_LIBCLANG)) || fail "jextract uses libclang $major; at most $MAX_LIBCLANG works." \
        "With newer ones the unnamed unions in verbs.h become Java that does not compile."
}

# Checks that the RDMA headers exist, and warns when they are not of the version the sources were made from.
require_headers() {
    if [[ -n ${RDMA_INCLUDE_DIR:-} && $RDMA_INCLUDE_DIR != /* ]]; then
        RDMA_INCLUDE_DIR=$PWD/$RDMA_INCLUDE_DIR
    fi
    local root=${RDMA_INCLUDE_DIR:-/usr/include} header
    for header in infiniband/verbs.h rdma/rdma_cma.h rdma/rdma_verbs.h rdma/rsocket.h; do
        [[ -f $root/$header ]] || fail "no $header in $root." \
            "Install libibverbs-dev and librdmacm-dev (Fedora: rdma-core-devel), or set RDMA_INCLUDE_DIR."
    done

    local version
    if [[ -z ${RDMA_INCLUDE_DIR:-} ]] && version=$(pkg-config --modversion libibverbs 2>/dev/null); then
        [[ $version == *.*."$RDMA_CORE_VERSION".* ]] || echo "$(basename "$0"): warning: the headers are those of" \
            "libibverbs $version; the committed sources come from rdma-core $RDMA_CORE_VERSION, expect differences." >&2
    fi
}

# Sets WORK_DIR to a directory that goes away with this process.
make_work_directory() {
    WORK_DIR=$(mktemp -d)
    trap 'rm -rf "$WORK_DIR"' EXIT
}

# Runs jextract with the arguments that every run has. Its warnings matter only when it fails.
run_jextract() {
    local include=()
    [[ -z ${RDMA_INCLUDE_DIR:-} ]] || include=(--include-dir "$RDMA_INCLUDE_DIR")
    (cd "$CONFIG_DIR" && "$JEXTRACT" "${include[@]}" "$@") >"$WORK_DIR/log" 2>&1 || {
        cat "$WORK_DIR/log" >&2
        fail "jextract failed (exit status not 0)."
    }
    # jextract can report a parse error and still end with status 0.
    if grep -q -i 'error:' "$WORK_DIR/log"; then
        cat "$WORK_DIR/log" >&2
        fail "jextract reported errors. If types of stddef.h or stdint.h are unknown, libclang finds its own headers" \
            "not at all or twice: see README.md, \"What you need\"."
    fi
}

# Writes the generated sources under the directory $1.
generate_into() {
    local types=$WORK_DIR/types verbs=$WORK_DIR/verbs rdmacm=$WORK_DIR/rdmacm
    run_jextract @types.args @types.includes --output "$types" verbs4j.h
    run_jextract @verbs.args @verbs.includes --output "$verbs" verbs4j.h
    run_jextract @rdmacm.args @rdmacm.includes --output "$rdmacm" verbs4j.h

    # Runs 2 and 3 also write a class of helpers called verbs4j_h. That of run 1 takes its place.
    rm "$verbs/$PACKAGE_PATH/verbs4j_h.java" "$rdmacm/$PACKAGE_PATH/verbs4j_h.java"

    # A class that two runs make would replace the other without a word: refuse it.
    local source target
    mkdir -p "$1/$PACKAGE_PATH"
    for source in {"$types","$verbs","$rdmacm"}/"$PACKAGE_PATH"/*.java; do
        target=$1/$PACKAGE_PATH/$(basename "$source")
        [[ ! -e $target ]] || fail "two runs generate $(basename "$source")"
        cp "$source" "$target"
    done
}
