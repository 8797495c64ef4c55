import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFailed } from 'vitest';
import { CACHE } from './debian.ts';

/** A virtual machine: what it boots and what is plugged into it. */
export interface Machine {
  readonly firmware: 'bios' | 'uefi';
  readonly media: 'cd' | 'usb';
  /** MAC addresses of its network cards, each on a hub of its own; with `dhcp` on a closed network that hands out leases. */
  readonly nics?: readonly string[];
  readonly dhcp?: boolean;
  /** Raw disk images with the serial number each reports. */
  readonly disks?: readonly { readonly file: string; readonly serial: string }[];
}

/** What the guest printed, by the first word of each fact. */
export class Report {
  readonly log: string;
  readonly #facts: readonly (readonly [word: string, rest: string])[];

  constructor(log: string) {
    this.log = log;
    this.#facts = [...log.matchAll(/^@([A-Z]+) ?(.*)$/gm)].map(([, word = '', rest = '']) => [word, rest]);
  }

  facts(word: string): string[] {
    return this.#facts.filter(([one]) => one === word).map(([, rest]) => rest);
  }

  /** Files that came out of the embedded archive: path → mode, size and SHA-256. */
  files(): Map<string, { mode: string; size: number; sha256: string }> {
    return new Map(
      this.facts('FILE').map((line) => {
        const [mode = '', size = '', sha256 = '', ...path] = line.split(' ');
        return [path.join(' '), { mode, size: Number(size), sha256 }];
      }),
    );
  }
}

const LIMIT_SECONDS = 120;

/** Boots an image under plain emulation and returns the guest's report; a boot without one fails with the end of its log. */
export async function boot(name: string, iso: string, machine: Machine): Promise<Report> {
  const logs = join(CACHE, 'logs');
  mkdirSync(logs, { recursive: true });
  const file = join(logs, `${name}.log`);
  const { text, ended } = await new Promise<{ text: string; ended: string }>((resolve, reject) => {
    const qemu = spawn('qemu-system-x86_64', qemuArguments(iso, machine), { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(file);
    const chunks: Buffer[] = [];
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      qemu.kill('SIGKILL');
    }, LIMIT_SECONDS * 1000);
    for (const stream of [qemu.stdout, qemu.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        log.write(chunk);
      });
    }
    qemu.once('error', reject);
    qemu.once('close', (code) => {
      clearTimeout(limit);
      log.end();
      const ended = late ? `not done after ${LIMIT_SECONDS} s` : `exit ${code}`;
      resolve({ text: Buffer.concat(chunks).toString('latin1').replaceAll('\r', ''), ended });
    });
  });
  const report = new Report(text);
  onTestFailed(() => console.error(`${name}: what the guest said (all of it is in ${file}):\n${relevant(text)}`));
  if (report.facts('END').length === 0) {
    throw new Error(`${name}: ${ended}, no report. The log (${file}) ends with:\n${text.slice(-2500)}`);
  }
  return report;
}

/** The guest's facts and the kernel's complaints. */
function relevant(log: string): string {
  return log
    .split('\n')
    .filter((line) => /^@|unpacking failed|invalid magic|panic|Oops/.test(line))
    .join('\n');
}

function qemuArguments(iso: string, { firmware, media, nics = [], dhcp = false, disks = [] }: Machine): string[] {
  const args = [
    '-machine',
    'q35',
    '-accel',
    'tcg',
    '-cpu',
    'max',
    '-m',
    '512',
    '-smp',
    '1',
    '-no-reboot',
    '-nodefaults',
  ];
  args.push('-display', 'none', '-vga', 'none', '-serial', 'stdio', '-monitor', 'none');
  if (firmware === 'uefi') args.push('-bios', '/usr/share/ovmf/OVMF.fd');
  args.push('-drive', `if=none,id=live,format=raw,snapshot=on,file=${iso}${media === 'cd' ? ',media=cdrom' : ''}`);
  if (media === 'cd') args.push('-device', 'ide-cd,drive=live,bootindex=1');
  else args.push('-device', 'qemu-xhci', '-device', 'usb-storage,drive=live,bootindex=1,removable=on');
  if (nics.length === 0) args.push('-nic', 'none');
  for (const [index, mac] of nics.entries()) {
    // Nothing leaves the machine: a hub without an uplink, or QEMU's own network with everything but DHCP cut off.
    const network = dhcp ? `user,id=n${index},restrict=on` : `hubport,id=n${index},hubid=${index}`;
    args.push('-netdev', network, '-device', `virtio-net-pci,netdev=n${index},mac=${mac},romfile=`);
  }
  for (const [index, { file, serial }] of disks.entries()) {
    args.push('-drive', `if=none,id=disk${index},format=raw,snapshot=on,file=${file}`);
    args.push('-device', `virtio-blk-pci,drive=disk${index},serial=${serial}`);
  }
  return args;
}
