# shellcheck shell=bash
# Hardware virtualisation only where it really works. /dev/kvm may be there and open, and still never get a stock
# kernel past its firmware (nested and filtered virtualisation), so a kernel is booted once to see.

choose_accelerator() {
  local answer key
  if [ "$accelerator" = auto ]; then
    accelerator=tcg
    if [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
      # The answer holds for this boot of the computer, this QEMU and this kernel.
      key=$({ cat /proc/sys/kernel/random/boot_id; stat -Lc '%s %Y' "$qemu"; echo "$kernel_version"; } | sha256sum)
      answer=$cache/accelerator-${key:0:16}
      if [ ! -s "$answer" ]; then
        stage "trying hardware virtualisation once"
        find "$cache" -maxdepth 1 -name 'accelerator-*' -delete
        if kvm_boots; then echo kvm; else echo tcg; fi >"$answer.new"
        mv "$answer.new" "$answer"
      fi
      accelerator=$(cat "$answer")
    fi
  fi
  stage "accelerator $accelerator"
}

kvm_boots() { # the machine says hello on its console and switches itself off
  timeout -k 1 10 setpriv --pdeathsig KILL -- "$qemu" -accel kvm -cpu max -m 256M -display none -monitor none \
    -no-reboot -nic none -serial stdio -kernel "$boot_image" -initrd "$initrd" \
    -append 'console=ttyS0 quiet panic=-1 softroce.trial' </dev/null 2>/dev/null | grep -aq 'softroce trial boot'
}
