# shellcheck shell=bash disable=SC2154 # the caller sets here
# All tests, stage by stage, with the time of each.

stage_times=()

tests_usage() {
  cat <<'TEXT'
Usage: ./verbs test [MAVEN ARGUMENT...]
       ./verbs test --containers [MAVEN ARGUMENT...]

Runs all tests: shell scripts, the launcher, the Soft-RoCE machine, unit and integration tests, a project that uses
Verbs4J, one that uses the test kit, and the doctor. Without an RDMA device those that need one run in the Soft-RoCE
machine. With arguments, only Maven's tests (mvn verify), with these options of Maven, such as -pl verbs-core -am

  --containers   instead, the tests of the container image: with the engine that answers here, else, for root, with one of
                 their own, which they take away again; without either they say what they skip

The integration tests take about half an hour on two processors without hardware virtualisation, the rest some minutes
each; with --containers, engine and image take about ten minutes where they have to be made. At the end the time of each
stage is told. Reports are in verbs-*/target/surefire-reports and verbs-*/target/failsafe-reports.

Needs a JDK 25 or newer; Maven, QEMU, a C compiler and the tools of rdma-core are installed where that may be.
TEXT
}

check_test_usage() { # ARGUMENT...: what is no option of Maven is refused before anything is made
  local value=no argument
  [ "${1:-}" != --containers ] || shift
  for argument in "$@"; do
    case $value-$argument in
      yes-*) value=no ;;
      no--h | no---help) tests_usage; exit ;;
      # options whose value is a word of its own
      no--[bDflPsTt] | no--gs | no--gt | no--pl | no--rf | no--ep | no--emp) value=yes ;;
      no---builder | no---color | no---define | no---file | no---global-settings | no---global-toolchains | no---log-file | \
        no---activate-profiles | no---projects | no---resume-from | no---settings | no---toolchains | no---threads) value=yes ;;
      no--*) ;;
      *)
        echo "verbs test: '$argument' is no option of Maven, such as -pl verbs-core -am; see ./verbs help test" >&2
        exit 2
        ;;
    esac
  done
}

check_maven_arguments() { # ARGUMENT...: Maven reads them all before it tells its version
  local reason
  if ! reason=$(run_maven --version "$@" 2>&1); then
    reason=$(sed -n 's/^Unable to parse command line options: //p' <<<"$reason" | head -1)
    echo "verbs test: Maven does not take ${*@Q}: ${reason:-see mvn --help}; see ./verbs help test" >&2
    exit 2
  fi
}

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
  JAVA_HOME=$(find_jdk) MAVEN=$maven MAVEN_OPTS=$maven_options \
    "$here/verbs-it/consumer/check" "${machine[@]}"
}

use_test_kit() {
  JAVA_HOME=$(find_jdk) MAVEN=$maven MAVEN_OPTS=$maven_options \
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
  settle_jdk
  check_maven_arguments "$@"
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
  stage 'launcher' "$here/launcher/test"
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
