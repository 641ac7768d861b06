# shellcheck shell=bash disable=SC2154 # the caller sets here
# Finding a JDK and Maven.

feature_version() { # HOME: the number in its release file, 0 if there is none
  local line
  line=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null) || line=
  echo "${line:-0}"
}

is_jdk() { # HOME
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ "$(feature_version "$1")" -ge 25 ]
}

jdk_candidates() { # a home a line, the preferred ones first
  local home java
  echo "${JAVA_HOME:-/none}"
  if java=$(command -v javac); then dirname "$(dirname "$(readlink -f "$java")")"; fi
  for home in /usr/lib/jvm/*/ /opt/*/ "$HOME"/.sdkman/candidates/java/*/; do
    echo "${home%/}"
  done
}

find_jdks() { # prints the homes of all JDKs >= 25, each once
  local home
  jdk_candidates | while IFS= read -r home; do
    if is_jdk "$home"; then readlink -f "$home"; fi
  done | awk '!seen[$0]++'
}

find_jdk() { # prints the home of a JDK >= 25
  local home
  while IFS= read -r home; do
    if is_jdk "$home"; then
      echo "$home"
      return
    fi
  done < <(jdk_candidates)
  cat >&2 <<'TEXT'
verbs: no JDK 25 or later found: looked at JAVA_HOME, PATH, /usr/lib/jvm and /opt. Get one
  on Debian 13 and Ubuntu 25.10 or later: sudo apt-get install openjdk-25-jdk-headless
  elsewhere: https://adoptium.net/temurin/releases/?version=25 , unpack it, and set JAVA_HOME
TEXT
  exit 1
}

settle_jdk() { # makes JAVA_HOME the one that is taken, and tells, once, if it was another
  local found
  found=$(find_jdk) || exit
  if [ -n "${JAVA_HOME:-}" ] && [ "$found" != "$JAVA_HOME" ]; then
    echo "verbs: JAVA_HOME, '$JAVA_HOME', is not a JDK 25 or newer; taking $found" >&2
  fi
  export JAVA_HOME=$found
}

# Maven's own libraries warn on every start otherwise, and reset colours at its end, which there are none of in batch mode.
maven_options='--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED -Djansi.noreset=true'

find_maven() { # sets maven
  require_packages maven
  maven=$(command -v mvn)
}

run_maven() { # MAVEN ARGUMENT...
  settle_jdk
  MAVEN_OPTS="$maven_options ${MAVEN_OPTS:-}"
  # Java takes the home directory from the list of users, which for an unprivileged one may name a place that is not there.
  [[ $HOME == *\ * ]] || MAVEN_OPTS="-Duser.home=$HOME $MAVEN_OPTS"
  export MAVEN_OPTS
  (cd "$here" && "$maven" -B "$@")
}
