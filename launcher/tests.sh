# shellcheck shell=bash disable=SC2154 # the caller sets here
# All tests, stage by stage, with the time of each.

stage_times=()

stage() { # NAME COMMAND...: which goes on after a failure unless it says so, since it is a condition here
  local name=$1 start=$SECONDS
  shift
  echo
  echo "=== $name"
  if ! "$@"; then
    echo "=== $name FAILED after $((SECONDS - start)) s" >&2
    exit 1
  fi
  note_stage "$name" "$start"
}

note_stage() { # NAME START
  stage_times+=("$(printf '%-40s %5d s' "$1" $((SECONDS - $2)))")
}

shell_scripts() {
  (cd "$here" && { git ls-files 2>/dev/null || find . -type f -not -path '*/target/*' -not -path './.git/*'; } |
    while read -r file; do
      if head -c 64 "$file" 2>/dev/null | head -1 | grep -qE '^#!.*[/ ](ba)?sh( |$)' || [[ $file == *.sh ]]; then
        echo "$file"
      fi
    done)
}

check_scripts() {
  local scripts
  mapfile -t scripts < <(shell_scripts)
  (cd "$here" && shellcheck -x --source-path=SCRIPTDIR "${scripts[@]}") && echo "${#scripts[@]} shell scripts pass shellcheck"
}

use_as_dependency() {
  local machine=()
  has_rdma_device || machine=("$here/softroce/run" --timeout 300 --)
  JAVA_HOME=$(find_jdk) MAVEN=$maven MAVEN_OPTS='--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED' \
    "$here/verbs-it/consumer/check" "${machine[@]}"
}

use_test_kit() {
  JAVA_HOME=$(find_jdk) MAVEN=$maven MAVEN_OPTS='--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED' \
    "$here/verbs-testkit/consumer/check"
}

doctor_misses_nothing() {
  (build "$tools") || return
  "$here/verbs-it/doctor/check" "$here/softroce/run" --timeout 300 --
}

device_arguments() { # how the integration tests get their device
  if has_rdma_device; then
    echo "-Dit.jvm=$(find_jdk)/bin/java"
  else
    echo "-Dit.jvm=$here/softroce/bin/java"
  fi
}

run_tests() { # MAVEN ARGUMENT...
  find_maven
  if has_rdma_device; then
    echo "Integration tests use this machine's RDMA device ${VERBS_DEVICE:-(the first one; choose with -Dverbs.device=NAME)}."
  else
    echo "No RDMA device on this machine: integration tests run in the Soft-RoCE machine."
  fi
  if [ $# -gt 0 ]; then
    run_maven verify "$(device_arguments)" "$@"
    return
  fi
  stage 'shell scripts' check_scripts
  stage 'Soft-RoCE machine' "$here/softroce/test"
  stage 'build, unit and integration tests' run_maven install "$(device_arguments)"
  stage 'use as a dependency' use_as_dependency
  stage 'doctor on a machine without modules' doctor_misses_nothing
  stage 'use of the test kit' use_test_kit
  print_stage_times 'All tests passed.'
}

print_stage_times() { # WHAT TO SAY FIRST
  echo
  echo "$1 Time of each stage:"
  printf '  %s\n' "${stage_times[@]}" "$(printf '%-40s %5d s' 'all' "$SECONDS")"
}
