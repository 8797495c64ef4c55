#!/usr/bin/env bash
# Makes keys of our own, and signs with them what `coreos-installer download` is recorded on: ../test/recorded/signed.ts.
# The private keys are thrown away. Times are fixed and keys are not: record.mjs comes after it.
#   sign.sh FOLDER    with the files of download-cases.ts: disk, xz, gz, kernel, initramfs, rootfs
set -euo pipefail
files=$1
home=$(mktemp -d); trap 'gpgconf --homedir "$home" --kill all; rm -rf "$home"' EXIT
run() { gpg --homedir "$home" --batch --quiet --yes --pinentry-mode loopback --passphrase '' "$@" 2>/dev/null; }
key() { run --faked-system-time "$1" --quick-generate-key "$2" "$3" sign "$4"; }
key 20260102T030405! 'Sample (release) <release@example.test>' rsa3072 never
key 20260102T030405! 'Sample (modern) <modern@example.test>' ed25519 never
key 20260102T030405! 'Sample (old) <old@example.test>' rsa2048 2026-02-01
key 20260102T030405! 'Stranger <stranger@example.test>' rsa2048 never
fingerprint() { run --list-keys --with-colons "$1" | awk -F: '/^fpr/ { print $10; exit }'; }
entry() { # NAME KEY FILE [OPTION…]
  printf "  '%s':\n    '%s',\n" "$1" "$(run --faked-system-time 20260115T101112! --local-user "$(fingerprint "$2")" "${@:4}" \
    --output - --detach-sign "$files/$3" | base64 -w0)"
}
cat > "$(dirname "$0")/../test/recorded/signed.ts" <<END
// Made by scripts/sign.sh.

/** Public keys: one as distributions have theirs, a modern one, and one that has expired since. */
export const KEYS = \`$(run --armor --export release@ modern@ old@)
\`;

/** Detached signatures, in base64. */
export const SIGNATURES = {
$(entry disk release@ disk)
$(entry disk-modern modern@ disk)
$(entry disk-old old@ disk)
$(entry disk-stranger stranger@ disk)
$(entry disk-armored release@ disk --armor)
$(entry disk-sha512 release@ disk --digest-algo SHA512)
$(for name in xz gz kernel initramfs rootfs; do entry "$name" release@ "$name"; done)
} as const;
END
