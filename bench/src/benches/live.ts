import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Compression, edit, extractMinimal, gzip, openLiveImage, writeArchive } from '@coreiso/iso';
import { fileSource, nativeGzip, nativeSha256, patchInPlace, writeCopy } from '@coreiso/iso/node';
import { sampleIso } from '@coreiso/iso/sample';
import type { Bench, Limits, Measure, Workspace } from '../frame.ts';
import { coreiso, freshly, output, shell, time } from '../programs.ts';

const MIB = 1024 * 1024;

/** A config of 20 KiB, different every time: ten incompressible files. */
function usualConfig(): string {
  const files = Array.from({ length: 10 }, (_, index) => ({
    path: `/etc/sample/${index}`,
    mode: 0o644,
    contents: { source: `data:;base64,${randomBytes(1470).toString('base64')}` },
  }));
  return JSON.stringify({ ignition: { version: '3.4.0' }, storage: { files } });
}

/** A live image of the usual size, and a config beside it. */
async function liveImage({ directory, imageMiB }: Workspace): Promise<{ image: string; config: string }> {
  const [image, config] = [join(directory, 'live.iso'), join(directory, 'config.ign')];
  await writeCopy(await sampleIso({ size: imageMiB * MIB }), image);
  await writeFile(config, usualConfig());
  return { image, config };
}

/** Measures embedding a different config each time: an equal one would leave nothing to write. */
function withNewConfig(config: string, embedding: Measure): Measure {
  return async () => {
    await writeFile(config, usualConfig());
    return await embedding();
  };
}

/** Enough runs to be warm. */
const EMBEDDINGS = 50;

const embed: Bench = {
  name: 'embed',
  about: 'a config of 20 KiB in place by library call, against the process coreos-installer iso ignition embed',
  unit: 'ms',
  limits: { ratio: 0.1 },
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    // Each program has its own image, so that it never finds a config of the other.
    const theirs = join(workspace.directory, 'theirs.iso');
    await copyFile(image, theirs);
    const embedOnce = async (ignition: Uint8Array): Promise<void> => {
      await using file = await fileSource(image, { writable: true });
      const { overlay } = await edit(await openLiveImage(file), { ignition });
      await patchInPlace(overlay, file);
    };
    return {
      peer: () => time(() => output('coreos-installer', ['iso', 'ignition', 'embed', '-f', '-i', config, theirs])),
      ours: async () => {
        const configs = Array.from({ length: EMBEDDINGS }, () => new TextEncoder().encode(usualConfig()));
        const elapsed = await time(async () => {
          for (const ignition of configs) await embedOnce(ignition);
        });
        return elapsed / EMBEDDINGS;
      },
    };
  },
};

/** For a file of 100 MiB. */
const archiveBy = (name: string, by: string, compression: Compression, limits: Limits): Bench => ({
  name,
  about: `cpio and gzip of a file of 100 MiB by ${by}, against cpio | gzip -9`,
  unit: 'ms',
  limits,
  async setUp({ directory }) {
    // Neither noise nor zeros: text as in configs.
    const line = () => `${randomBytes(24).toString('base64')} /etc/assisted/network/host0/eth0.nmconnection\n`;
    const text = Buffer.from(Array.from({ length: 1000 }, line).join(''));
    const content = Buffer.concat(Array.from({ length: Math.ceil((100 * MIB) / text.length) }, () => text));
    const folder = join(directory, 'tree');
    await mkdir(folder);
    await writeFile(join(folder, 'big'), content);
    return {
      peer: shell('cd "$1" && echo big | cpio -o -H newc --quiet | gzip -9 >/dev/null', folder),
      ours: () =>
        time(async () => {
          for await (const chunk of writeArchive([{ path: 'big', content }], { compression })) void chunk;
        }),
    };
  },
});

const minimal: Bench = {
  name: 'minimal',
  about: 'the minimal image of a sample, against coreos-installer iso extract minimal-iso',
  unit: 'ms',
  limits: { ratio: 1 },
  async setUp(workspace) {
    const { image } = await liveImage(workspace);
    const target = join(workspace.directory, 'minimal.iso');
    return {
      peer: freshly(target, shell('coreos-installer iso extract minimal-iso "$1" "$2"', image, target)),
      ours: freshly(target, () =>
        time(async () => {
          await using file = await fileSource(image);
          await writeCopy(await extractMinimal(await openLiveImage(file), { sha256: nativeSha256 }), target);
        }),
      ),
    };
  },
};

const commandEmbed: Bench = {
  name: 'command-embed',
  about: 'coreiso iso ignition embed in place, against node -e 0',
  unit: 'ms',
  limits: { difference: 30 },
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    const embedding = shell('"$1" "$2" iso ignition embed -f -i "$4" "$3"', process.execPath, coreiso, image, config);
    return {
      peer: shell('"$1" -e 0', process.execPath),
      ours: withNewConfig(config, embedding),
    };
  },
};

const commandMemory: Bench = {
  name: 'command-memory',
  about: 'peak memory of coreiso iso ignition embed in place, against coreos-installer',
  unit: 'MB',
  limits: { ratio: 1 },
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    const embedding = ['iso', 'ignition', 'embed', '-f', '-i', config, image];
    return {
      peer: withNewConfig(config, peakMemory('coreos-installer', embedding)),
      ours: withNewConfig(config, peakMemory(process.execPath, [coreiso, ...embedding])),
    };
  },
};

/** Megabytes, as reported by GNU time. */
function peakMemory(program: string, args: readonly string[]): Measure {
  return async () => {
    const said = await output('/usr/bin/time', ['-f', '%M', program, ...args]);
    return Number(said.trim().split('\n').at(-1)) / 1024;
  };
}

/**
 * Writes a copy with the command line: `flags` are ours, and `peer` is a line of the shell with `$1` to `$3` for image,
 * target and config.
 */
const commandCopyBy = (name: string, flags: string, about: string, peer: string): Bench => ({
  name,
  about,
  unit: 'ms',
  limits: { ratio: 1.25 },
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    const target = join(workspace.directory, 'out.iso');
    const ours = `"$4" "$5" iso ignition embed ${flags} -i "$3" -o "$2" "$1"`;
    return {
      peer: freshly(target, shell(peer, image, target, config)),
      ours: freshly(target, shell(ours, image, target, config, process.execPath, coreiso)),
    };
  },
});

const commandCopy = commandCopyBy(
  'command-copy',
  '',
  'coreiso iso ignition embed -o FILE, against coreos-installer',
  'coreos-installer iso ignition embed -i "$3" -o "$2" "$1"',
);

const commandCopySync = commandCopyBy(
  'command-copy-sync',
  '--sync',
  'coreiso iso ignition embed --sync -o FILE, against cp and sync FILE',
  'cp "$1" "$2" && sync "$2"',
);

const commandInPlace: Bench = {
  name: 'command-in-place',
  about: 'coreiso iso ignition embed in place, against coreos-installer',
  unit: 'ms',
  limits: {},
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    const theirs = join(workspace.directory, 'theirs.iso');
    await copyFile(image, theirs);
    const args = [process.execPath, coreiso, image, config];
    return {
      peer: withNewConfig(config, shell('coreos-installer iso ignition embed -f -i "$2" "$1"', theirs, config)),
      ours: withNewConfig(config, shell('"$1" "$2" iso ignition embed -f -i "$4" "$3"', ...args)),
    };
  },
};

const commandPipe: Bench = {
  name: 'command-pipe',
  about: 'coreiso iso ignition embed -o - | cat, against coreos-installer',
  unit: 'ms',
  limits: { ratio: 1.1 },
  async setUp(workspace) {
    const { image, config } = await liveImage(workspace);
    return {
      peer: shell('coreos-installer iso ignition embed -i "$2" -o - "$1" | cat >/dev/null', image, config),
      ours: shell(
        '"$1" "$2" iso ignition embed -i "$4" -o - "$3" | cat >/dev/null',
        process.execPath,
        coreiso,
        image,
        config,
      ),
    };
  },
};

/** Editing live images, as a library and as a command. */
export const liveBenches: readonly Bench[] = [
  embed,
  archiveBy('archive', 'pako', gzip, { ratio: 2.5 }),
  archiveBy('archive-native', 'zlib', nativeGzip, { ratio: 1.1 }),
  minimal,
  commandEmbed,
  commandMemory,
  commandCopy,
  commandCopySync,
  commandInPlace,
  commandPipe,
];
