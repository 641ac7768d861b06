# shellcheck shell=bash
# The command line, and the same options in SOFTROCE_OPTIONS for callers that cannot pass any (a test
# runner that starts bin/java).

verbose=no prepare=no kernel='' root=/ accelerator=auto network='' disk='' user='' memlock=unlimited
cpus='' memory='' numa='' timeout='' boot_timeout=180
addresses=() writable=() readable=() command=()

usage() {
  cat <<'HELP'
Usage: softroce/run [OPTIONS] [--] COMMAND [ARGUMENT...]
       softroce/bin/java [ARGUMENT...]

Runs COMMAND on a throw-away virtual machine that has an RDMA device: Soft-RoCE, rxe0 on eth0. The command sees the
files of this computer, has the caller's streams, arguments, environment and working directory, and its exit status
is the exit status of run. Only the working directory and /tmp are writable; other changes vanish with the machine.
No root, no RDMA hardware and no hardware virtualisation are needed.

Device
  --address CIDR       an address of the device's interface, repeatable (default: 10.9.0.1/24 and fd09::1/64)
  --network SPEC       join the interface to a QEMU -netdev, such as socket,listen=127.0.0.1:4711
  --memlock BYTES      limit of locked memory, or unlimited (default)
Machine
  --cpus N             processors, 1 to 255 (default: those of this computer, but 2 to 4)
  --memory SIZE        memory, such as 8G, from 256M on (default: half of this computer's, but 1 to 4 GiB)
  --numa NODES         NUMA nodes that share processors and memory evenly, 1 to 8 (default: 1)
  --kernel WHICH       version of a kernel, or a directory that holds boot/vmlinuz-* and lib/modules
  --root DIR           root file system tree (default: /, this computer's own)
  --accelerator WHICH  kvm, tcg, or auto (default: kvm where a trial boot succeeds)
Files and identity
  --writable DIR       another directory whose changes are kept, repeatable
  --readable DIR       a directory of this computer to show inside another --root, repeatable
  --disk FILE          a raw disk image, /dev/vda inside; changes of it vanish
  --user NAME|UID      user of the command (default: root of the machine, with no more rights on files than you have)
Limits
  --timeout SECONDS    give the command so long (default: for ever)
  --boot-timeout SECS  give the machine so long to boot (default: 180)
Other
  --prepare            make ready what a first run would (kernel, initial RAM disk), and run nothing
  --verbose            tell the stages of the boot on standard error
  --help               this text

Exit status: that of the command (127 not found, 126 not executable, 128+N killed by signal N), or of the tool:
  2 wrong usage, 124 time-out, 125 the machine could not be prepared, did not boot, or crashed.
SOFTROCE_OPTIONS holds options too, separated by blanks; those of the command line come later and win.
HELP
}

parse_options() {
  local given=()
  # Blanks separate; there is no quoting, so that nothing in the variable is ever evaluated.
  read -r -d '' -a given <<<"${SOFTROCE_OPTIONS:-}" || true
  read_options "${given[@]}"
  [ ${#command[@]} = 0 ] || fail "$MISUSED" "SOFTROCE_OPTIONS may hold options only, not '${command[0]}'"
  read_options "$@"
  [ ${#command[@]} -gt 0 ] || [ "$prepare" = yes ] || fail "$MISUSED" "no command given, see --help"
  [ ${#addresses[@]} -gt 0 ] || addresses=(10.9.0.1/24 fd09::1/64)
  check_options
}

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --help) usage; exit 0 ;;
      --verbose) verbose=yes; shift; continue ;;
      --prepare) prepare=yes; shift; continue ;;
      --) shift; command=("$@"); return ;;
      --*=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
      -?*) ;;
      *) command=("$@"); return ;;
    esac
    case $1 in
      --address | --network | --memlock | --cpus | --memory | --numa | --kernel | --root | --disk | --accelerator | --writable | \
        --readable | --user | --timeout | --boot-timeout) ;;
      *) fail "$MISUSED" "unknown option '$1', see --help" ;;
    esac
    [ $# -gt 1 ] || fail "$MISUSED" "option $1 needs a value, see --help"
    case $1 in
      --address) addresses+=("$2") ;;
      --network) network=$2 ;;
      --memlock) memlock=$2 ;;
      --cpus) cpus=$2 ;;
      --memory) memory=$2 ;;
      --numa) numa=$2 ;;
      --kernel) kernel=$2 ;;
      --root) root=$2 ;;
      --accelerator) accelerator=$2 ;;
      --writable) writable+=("$2") ;;
      --readable) readable+=("$2") ;;
      --disk) disk=$2 ;;
      --user) user=$2 ;;
      --timeout) timeout=$2 ;;
      --boot-timeout) boot_timeout=$2 ;;
    esac
    shift 2
  done
}

check_options() {
  local value
  case $accelerator in
    auto | kvm | tcg) ;;
    *) fail "$MISUSED" "--accelerator takes kvm, tcg or auto, not '$accelerator'" ;;
  esac
  check_number --timeout "$timeout"
  check_number --boot-timeout "$boot_timeout"
  [[ $cpus =~ ^([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])?$ ]] ||
    fail "$MISUSED" "--cpus takes a number of processors from 1 to 255, not '$cpus'"
  [[ $numa =~ ^[1-8]?$ ]] || fail "$MISUSED" "--numa takes a number of nodes from 1 to 8, not '$numa'"
  [ "$memlock" = unlimited ] || check_number --memlock "$memlock"
  [ -z "$memory" ] || check_memory
  for value in "${addresses[@]}"; do
    is_address "$value" ||
      fail "$MISUSED" "--address takes an address with its prefix length such as 10.9.0.1/24, not '$value'"
  done
  for value in "$root" "${writable[@]}" "${readable[@]}"; do
    [ -d "$value" ] || fail "$MISUSED" "'$value' is not a directory"
  done
  [ -z "$disk" ] || [ -r "$disk" ] || fail "$MISUSED" "--disk: '$disk' is not a readable file"
  for value in "${writable[@]}"; do
    [ "$(realpath "$value")" != / ] || fail "$MISUSED" "--writable / would let the machine change everything"
  done
  root=$(realpath "$root")
}

mebibytes() { # SIZE, of MiB if it has no unit
  local number=${1%[KMGTkmgt]}
  case $1 in
    *[Kk]) echo $((number / 1024)) ;;
    *[Gg]) echo $((number * 1024)) ;;
    *[Tt]) echo $((number * 1048576)) ;;
    *) echo "$number" ;;
  esac
}

check_memory() {
  local size there_is
  [[ $memory =~ ^[1-9][0-9]{0,11}[KMGTkmgt]?$ ]] || fail "$MISUSED" "--memory takes a size such as 2048M or 8G, not '$memory'"
  size=$(mebibytes "$memory")
  # with 128M Linux 6.1 still boots, but leaves the command 50 of them; with 64M it does not come up
  [ "$size" -ge 256 ] || fail "$MISUSED" "--memory takes a size from 256M on, not '$memory'; the kernel needs as much (without a unit it is MiB)"
  # so Linux says to QEMU, unless it is told to promise any amount
  there_is=$(awk '/^(MemTotal|SwapTotal):/ { all += $2 } END { print int(all / 1024) }' /proc/meminfo)
  [ "$size" -le "$there_is" ] || grep -qsx 1 /proc/sys/vm/overcommit_memory ||
    fail "$MISUSED" "--memory takes a size up to what this computer has, ${there_is}M with swap, not '$memory'"
}

is_address() { # CIDR; what else can be wrong with one is seen inside
  case $1 in
    *:*) [[ $1 =~ ^[0-9a-fA-F.:]+/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])$ ]] ;;
    *) [[ .$1 =~ ^(\.([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])){4}/([0-9]|[12][0-9]|3[0-2])$ ]] ;;
  esac
}

check_number() { # OPTION VALUE; empty means the default
  [[ $2 =~ ^([1-9][0-9]{0,15})?$ ]] || fail "$MISUSED" "$1 takes a whole number greater than zero, not '$2'"
}
