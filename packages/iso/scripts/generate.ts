// Packs the minimal image of every sample kind that has one. Only the part that needs an xz encoder is kept as data.
import { createHash } from 'node:crypto';
import { writeIso } from '../src/iso9660/writer/write.ts';
import { sampleKinds } from '../src/sample/kinds.ts';
import { minimalSample, unsharedBytes } from '../src/sample/minimal.ts';
import { fullEntries, sampleTree } from '../src/sample/tree.ts';

/** `xz -9 -T1 --check=crc64` or its equal. */
export type PackXz = (bytes: Uint8Array) => Promise<Uint8Array>;

/** The generated files, by their path in the package. */
export async function generate(packXz: PackXz): Promise<[path: string, text: string][]> {
  const lines: string[] = [];
  for (const kind of sampleKinds().filter(({ minimal }) => minimal)) {
    const tree = await sampleTree(kind);
    const { source, entries } = await minimalSample(kind, tree);
    const full = await writeIso(fullEntries(kind, tree, tree.rootfs), tree.options);
    const unshared = unsharedBytes(source, entries(full));
    const digest = createHash('sha256').update(await source.read(0, source.size));
    const packed = await packXz(await unshared.read(0, unshared.size));
    lines.push(
      `  '${kind.name}': {`,
      `    digest: '${digest.digest('base64')}',`,
      `    packed: '${Buffer.from(packed).toString('base64')}',`,
      '  },',
    );
  }
  const text = `// Written by packages/iso/scripts/generate.mjs: for each kind the SHA-256 of its minimal image, and the part of that
// image which is not in the full one, as one .xz stream.
export const RECIPES: Readonly<Record<string, { readonly digest: string; readonly packed: string }>> = {
${lines.join('\n')}
};
`;
  return [['src/sample/generated/recipes.ts', text]];
}
