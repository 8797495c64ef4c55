// A machine that answers one question: which kernel, arguments and initrds does it boot? Its initramfs prints them and powers off.
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from '../../test/support/tools.ts';
import { once } from './debian.ts';
import { newVariables } from './guest.ts';

const INIT = `#!/bin/busybox sh
/bin/busybox mkdir -p /proc /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
{
    echo "CMDLINE $(/bin/busybox cat /proc/cmdline)"
    /bin/busybox find / -xdev -type f | /bin/busybox sort | while read -r file; do
        echo "FILE $(/bin/busybox stat -c '%a %s' "$file") $file"
    done
    echo PROBED
} >/dev/ttyS0
# The serial line has to be read to its end first.
/bin/busybox sleep 10
/bin/busybox poweroff -f
`;

/** The contents of the probe's own initramfs. */
const OWN_FILES: readonly string[] = ['/bin/busybox', '/init'];

export function probeInitrd(): Buffer {
  const folder = once('probe', [readFileSync(fileURLToPath(import.meta.url)), INIT], (scratch) => {
    const tree = join(scratch, 'tree');
    mkdirSync(join(tree, 'bin'), { recursive: true });
    copyFileSync('/bin/busybox', join(tree, 'bin/busybox'));
    writeFileSync(join(tree, 'init'), INIT);
    for (const program of ['bin/busybox', 'init']) chmodSync(join(tree, program), 0o755);
    const archive = output('cpio', ['-o', '-H', 'newc', '--quiet', '-R', '0:0'], {
      cwd: tree,
      input: Buffer.from('bin\nbin/busybox\ninit\n'),
    });
    const packed = output('gzip', ['-1n'], { input: archive });
    writeFileSync(join(scratch, 'initrd.img'), Buffer.concat([packed, Buffer.alloc((4 - (packed.length % 4)) % 4)]));
  });
  return readFileSync(join(folder, 'initrd.img'));
}

/** How firmware finds the image. */
export interface ProbedWay {
  readonly firmware: 'bios' | 'uefi';
  readonly medium: 'cd' | 'disk';
}

/** The report of a machine; `undefined` if it never got that far. */
export interface Probed {
  readonly arguments: string;
  /** Files of the initrds that are not the probe's own: path → mode and size. */
  readonly files: Readonly<Record<string, { readonly mode: number; readonly size: number }>>;
}

/** Even under plain emulation on a busy machine, every expected event takes less time. */
const LIMIT_SECONDS = 420;

/** Boots `iso` to its end; `undefined` if the probe's initramfs never ran. */
export async function probeBoot(iso: string, way: ProbedWay, seconds = LIMIT_SECONDS): Promise<Probed | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'coreiso-probe-'));
  try {
    const console = await consoleOf(argumentsFor(iso, way, scratch), seconds);
    if (!/^PROBED$/m.test(console)) return undefined;
    const files = [...console.matchAll(/^FILE (\d+) (\d+) (.+)$/gm)]
      .map(
        ([, mode = '', size = '', path = '']) =>
          [path, { mode: Number.parseInt(mode, 8), size: Number(size) }] as const,
      )
      .filter(([path]) => !OWN_FILES.includes(path));
    return { arguments: /^CMDLINE (.*)$/m.exec(console)?.[1] ?? '', files: Object.fromEntries(files) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function argumentsFor(iso: string, { firmware, medium }: ProbedWay, scratch: string): string[] {
  const args = ['-machine', 'q35', '-accel', 'tcg', '-cpu', 'Nehalem', '-m', '512', '-smp', '1', '-nodefaults'];
  // Graphical menus need a screen.
  args.push('-no-reboot', '-display', 'none', '-vga', 'std', '-serial', 'stdio', '-nic', 'none');
  if (firmware === 'uefi') {
    const variables = join(scratch, 'variables.fd');
    newVariables(variables);
    args.push('-drive', 'if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd');
    args.push('-drive', `if=pflash,format=raw,file=${variables}`);
  }
  args.push('-drive', `if=none,id=live,format=raw,readonly=on,file=${iso}${medium === 'cd' ? ',media=cdrom' : ''}`);
  if (medium === 'cd') args.push('-device', 'ide-cd,drive=live,bootindex=1');
  else args.push('-device', 'qemu-xhci', '-device', 'usb-storage,drive=live,removable=on,bootindex=1');
  return args;
}

/** The output of the serial console until the machine is off, the probe's last line has come, or time is up. */
async function consoleOf(args: readonly string[], seconds: number): Promise<string> {
  const qemu = spawn('qemu-system-x86_64', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  const limit = setTimeout(() => qemu.kill('SIGKILL'), seconds * 1000);
  qemu.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString('latin1').replaceAll('\r', '');
    if (/^PROBED$/m.test(shown)) qemu.kill('SIGKILL');
  });
  await new Promise<void>((resolve, reject) => {
    qemu.once('error', reject);
    qemu.once('close', () => resolve());
  });
  clearTimeout(limit);
  return shown;
}
