// A root file system in a temporary directory in which the boot scripts run.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BootResult, Machine } from '../../../nodes-config/src/hosts/simulate.ts';
import type { ScriptName } from '../../src/join/generated/scripts.ts';
import { SERVICE_SCRIPTS } from '../../src/join/service/generated/scripts.ts';

/** The shells of CoreOS, of Debian, and busybox, which is small enough for an initramfs. */
export const SHELLS = [['bash', '--norc', '--posix'], ['dash'], ['busybox', 'sh']] as const;

/** Scripts that choose the profiles of a machine: in our own images, and in those with the installer's service. */
export const NETWORK_SCRIPTS = ['coreiso-network', 'pre-network-manager-config.sh'] as const;

const SCRIPTS = fileURLToPath(new URL('../../src/join/scripts/', import.meta.url));
const PROGRAMS = 'usr/local/bin';
const PROFILES = 'etc/NetworkManager/system-connections';

export interface ScriptResult {
  readonly status: number | null;
  readonly output: string;
}

export class FakeRoot implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'coreiso-root-'));

  /** Installs our own scripts, or those of the service, where they look for each other. */
  constructor(scripts: 'own' | 'service' = 'own') {
    const texts = scripts === 'service' ? SERVICE_SCRIPTS : ownScripts();
    for (const [name, text] of Object.entries(texts)) {
      this.write(join(PROGRAMS, name), text);
      chmodSync(join(this.path, PROGRAMS, name), 0o755);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  write(path: string, contents: string, mode = 0o600): void {
    const whole = join(this.path, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, contents, { mode });
  }

  read(path: string): string | undefined {
    const whole = join(this.path, path);
    return existsSync(whole) ? readFileSync(whole, 'utf8') : undefined;
  }

  /** A program that replaces a real one; `body` is shell. */
  stub(name: string, body: string): void {
    this.write(`stubs/${name}`, `#!/bin/sh\n${body}\n`);
    chmodSync(join(this.path, 'stubs', name), 0o755);
  }

  machine({ nics, existing = [], initrd = false }: Machine): void {
    mkdirSync(join(this.path, 'sys/class/net'), { recursive: true });
    for (const [name, mac] of Object.entries(nics)) this.write(`sys/class/net/${name}/address`, `${mac}\n`);
    if (initrd) this.write('etc/initrd-release', '');
    for (const name of existing) this.write(join(this.#profiles(initrd), name), '[connection]\nid=default\n');
  }

  /** The profiles after the boot; null if their directory does not exist. */
  profiles(initrd = false): BootResult['files'] {
    const directory = join(this.path, this.#profiles(initrd));
    if (!existsSync(directory)) return null;
    return readdirSync(directory)
      .map((name) => Buffer.from(name))
      .sort(Buffer.compare)
      .map(String)
      .map((name) => {
        const path = join(directory, name);
        return { name, mode: statSync(path).mode & 0o777, contents: readFileSync(path, 'utf8') };
      });
  }

  run(
    name: ScriptName | (typeof NETWORK_SCRIPTS)[number],
    [shell, ...args]: readonly string[],
    options: { env?: NodeJS.ProcessEnv; input?: string; args?: readonly string[] } = {},
  ): ScriptResult {
    const command = [
      ...args,
      '-c',
      `${this.#functions()}. "$0"`,
      join(this.path, PROGRAMS, name),
      ...(options.args ?? []),
    ];
    const { status, stdout, stderr, error } = spawnSync(shell ?? 'sh', command, {
      encoding: 'utf8',
      input: options.input ?? '',
      env: {
        PATH: `${join(this.path, 'stubs')}:${process.env['PATH']}`,
        ROOT: this.path,
        NIC_WAIT: '0',
        ...options.env,
      },
    });
    if (error) throw error;
    return { status, output: stdout + stderr };
  }

  /** Busybox prefers its own applets to programs on PATH, but shell functions to both. */
  #functions(): string {
    const stubs = join(this.path, 'stubs');
    const names = existsSync(stubs) ? readdirSync(stubs).filter((name) => /^[a-z]+$/.test(name)) : [];
    return names.map((name) => `${name}() { "$ROOT/stubs/${name}" "$@"; }\n`).join('');
  }

  #profiles(initrd: boolean): string {
    return initrd ? 'etc/coreos-firstboot-network' : PROFILES;
  }
}

function ownScripts(): Record<string, string> {
  const files = readdirSync(SCRIPTS).map((file) => [
    file.replace(/\.sh$/, ''),
    readFileSync(join(SCRIPTS, file), 'utf8'),
  ]);
  return Object.fromEntries(files);
}
