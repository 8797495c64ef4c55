import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, output } from '../../../../test/support/tools.ts';
import { edit } from '../../src/live/edit.ts';
import { openLiveImage } from '../../src/live/image.ts';
import { xz } from '../../src/node/xz.ts';
import { sampleIso, sampleKinds } from '../../src/sample/index.ts';
import { noise, sha256, utf8 } from '../initrd/archives.ts';
import { describePeer } from '../initrd/peer.ts';

describeWith(['coreos-installer'], 'coreos-installer', () => {
  describePeer('and the peer', () => {
    const configs = {
      'a small config': utf8('{"ignition": {"version": "3.0.0"}\n'),
      'a config of 20 KiB': utf8(Buffer.from(noise('config', 15_360)).toString('base64')),
      'a config that hardly fits': noise('large', 250_001),
    };
    const kinds = sampleKinds().filter(({ features }) => features !== 'absent');
    test.each(
      Object.entries(configs).flatMap(([title, config], index) =>
        kinds.filter((_, at) => at % 3 === index).map((kind) => [title, kind.name, config] as const),
      ),
    )('writes the same image with %s and keyfiles: %s', async (_, kind, config) => {
      const directory = scratchFolder();
      const tool = (...args: string[]) => output('coreos-installer', args, { cwd: directory });
      const sample = await sampleIso({ kind });
      const keyfiles = ['b', 'a'].map((id) => ({ name: `${id}.nmconnection`, content: `[connection]\nid=${id}\n` }));
      writeFileSync(join(directory, 'in.iso'), await sample.read(0, sample.size));
      writeFileSync(join(directory, 'config.ign'), config);
      for (const { name, content } of keyfiles) writeFileSync(join(directory, name), content);
      tool('iso', 'ignition', 'embed', '-i', 'config.ign', 'in.iso');
      tool('iso', 'network', 'embed', '-k', 'b.nmconnection', '-k', 'a.nmconnection', 'in.iso');
      const image = await openLiveImage(sample);
      const { overlay } = await edit(image, { ignition: config, keyfiles }, { compression: xz });
      expect(sha256(await overlay.read(0, overlay.size))).toBe(sha256(readFileSync(join(directory, 'in.iso'))));
    });
  });
});
