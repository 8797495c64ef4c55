// Addresses that become words in the languages of boot loaders.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoreisoError } from '@coreiso/diagnostics';
import { type ByteSource, bytesOf } from '@coreiso/iso';
import { openIso } from '@coreiso/iso/iso9660';
import { sampleIso } from '@coreiso/iso/sample';
import { parseNodesConfigOrThrow, samples } from '@coreiso/nodes-config';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../test/support/scratch.ts';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { buildNodesImage } from '../../src/images/build.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import { variantsOf } from './hostile.ts';

const URL_THERE = 'http://boot.example.test/files';
const plan = planNodes(parseNodesConfigOrThrow(samples.nodesConfig), { cluster: samples.facts });

/** The outputs with an address; undefined if it is refused with a code. */
async function built(bootArtifactsBaseURL: string, form: 'pxe' | 'minimal-iso') {
  try {
    const options = { form, bootArtifactsBaseURL, now: () => new Date(1e12) };
    return (await buildNodesImage(await sampleIso(), plan, options)).outputs;
  } catch (error) {
    if (isCoreisoError(error)) return undefined;
    throw error;
  }
}

const textOf = async (source: ByteSource): Promise<string> => new TextDecoder().decode(await bytesOf(source));
/** Splits lines into words; the address stays as it is. */
const shapeOf = (text: string): number[] => text.split(/\r\n|[\n\r]/).map((line) => line.split(/[\s\p{Z}]+/u).length);

const ADDRESSES = [...variantsOf({ url: URL_THERE }, { share: 6 })].map(({ value }) => value);

test('writes the same words into an iPXE script for every address, or refuses it', async () => {
  const scriptOf = async (url: string) => {
    const script = (await built(url, 'pxe'))?.find(({ name }) => name.endsWith('.ipxe'));
    return script && (await textOf(script.source));
  };
  const plain = (await scriptOf(URL_THERE)) ?? '';
  expect(plain).toContain('#!ipxe');
  const faults: string[] = [];
  for (const url of ADDRESSES) {
    const script = await scriptOf(url);
    if (script === undefined) continue;
    const isSame = JSON.stringify(shapeOf(script)) === JSON.stringify(shapeOf(plain));
    // iPXE expands settings anywhere, and runs a command after two bars or ampersands.
    if (!isSame || /\$\{|\|\||&&/.test(script)) faults.push(`${JSON.stringify(url)}: ${script}`);
  }
  expect(faults).toEqual([]);
});

describeWith(['grub-script-check'], 'GRUB', () => {
  test('reads the same words in the menu of a minimal image for every address that is not refused', async () => {
    const menuOf = async (url: string) => {
      const image = (await built(url, 'minimal-iso'))?.find(({ name }) => name.endsWith('.iso'));
      return image && (await textOf(await (await openIso(image.source)).file('/EFI/sample/grub.cfg')));
    };
    const folder = mkdtempSync(join(scratchFolder(), 'menu-'));
    const plain = (await menuOf(URL_THERE)) ?? '';
    const faults: string[] = [];
    let accepted = 0;
    for (const url of ADDRESSES) {
      const menu = await menuOf(url);
      if (menu === undefined) continue;
      accepted++;
      writeFileSync(join(folder, 'grub.cfg'), menu);
      const { status, stderr } = run('grub-script-check', [join(folder, 'grub.cfg')]);
      const lines = menu.split('\n').filter((line) => line.includes('rootfs_url='));
      const isSame = JSON.stringify(shapeOf(menu)) === JSON.stringify(shapeOf(plain));
      if (status !== 0 || !isSame || lines.some((line) => /[;|&$<>{}'"\\]/.test(line)))
        faults.push(`${JSON.stringify(url)}: ${stderr}${lines.join('')}`);
    }
    expect(faults).toEqual([]);
    expect(accepted).toBeGreaterThan(0);
  });
});
