// The needs of a live CoreOS once its initramfs runs: a root file system and an Ignition config.

import type { Chain } from '../links.ts';
import { isStandIn, type Place, readStart } from '../places.ts';
import { LIVE_MARKS, type Tree } from './tree.ts';

const ROOTFS = '/images/pxeboot/rootfs.img';
/** The root file system begins here, after the header of a cpio member. */
const INSIDE_CPIO = 124;
const EROFS_MAGIC_AT = 1024;

/** The words of a kernel's arguments. */
export function argumentWords(text: string): string[] {
  return text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
}

export async function judgeRoot(
  chain: Chain,
  place: Place,
  words: readonly string[],
  tree: Tree | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const label = lastValue(words, 'coreos.liveiso');
  const url = lastValue(words, 'coreos.live.rootfs_url');
  const isLive = tree !== undefined && LIVE_MARKS.some((path) => tree.nodes.has(path));
  if (label === undefined && url === undefined) {
    if (isLive) chain.unknown('no argument names a root file system: give coreos.live.rootfs_url');
    return;
  }
  if (label !== undefined && label !== place.udevLabel) {
    chain.broken(`the live system looks for a volume ${label}, but this one is ${place.udevLabel}`);
    return;
  }
  if (label === undefined) {
    chain.ok(`fetched from ${withoutSecrets(url ?? '')}`);
    return;
  }
  const file = await place.file(ROOTFS);
  if (file === undefined) {
    if (isLive && url === undefined) {
      chain.broken(`the image has no ${ROOTFS}, which its live system mounts`);
      return;
    }
    chain.ok(isLive ? `fetched from ${withoutSecrets(url ?? '')}` : 'the initramfs needs no root file system');
    return;
  }
  const at = file.regions[0]?.offset;
  if (await isStandIn(file, signal)) {
    chain.unknown(`${ROOTFS} is a placeholder for a root file system, as in trimmed images`);
    return;
  }
  const kind = rootKind(await readStart(file, INSIDE_CPIO + EROFS_MAGIC_AT + 4, signal));
  if (kind !== undefined) {
    chain.ok(`${kind} in ${ROOTFS}`);
    return;
  }
  chain[isLive ? 'broken' : 'unknown'](`${ROOTFS} has no known file system`, at);
}

function rootKind(bytes: Uint8Array): string | undefined {
  for (const start of [INSIDE_CPIO, 0]) {
    const text = (at: number) => String.fromCharCode(...bytes.subarray(start + at, start + at + 4));
    if (text(0) === 'hsqs') return 'squashfs';
    if (text(EROFS_MAGIC_AT) === '\xe2\xe1\xf5\xe0') return 'EROFS';
  }
  return undefined;
}

/** Reports the source of the config. A missing config is not a fault. */
export function judgeIgnition(chain: Chain, words: readonly string[], tree: Tree): void {
  const url = lastValue(words, 'ignition.config.url');
  const hasEmbedded = tree.nodes.get('config.ign')?.kind === 'file';
  const platform = lastValue(words, 'ignition.platform.id');
  if (platform === undefined && !hasEmbedded && url === undefined) return;
  const isFirst = words.some((word) => /^ignition\.firstboot(=|$)/.test(word));
  if (!isFirst && (hasEmbedded || url !== undefined)) {
    chain.unknown('there is a config but no argument ignition.firstboot, so Ignition does not run');
    return;
  }
  if (hasEmbedded) {
    chain.ok(`config.ign of the initramfs, platform ${platform ?? 'unnamed'}`);
    return;
  }
  chain.ok(url === undefined ? `no config, platform ${platform ?? 'unnamed'}` : `from ${withoutSecrets(url)}`);
}

function lastValue(words: readonly string[], key: string): string | undefined {
  const word = words.findLast((each) => each.replaceAll('"', '').startsWith(`${key}=`));
  return word?.replaceAll('"', '').slice(key.length + 1);
}

/** Addresses may carry passwords and tokens. */
function withoutSecrets(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1').replace(/[?#][\s\S]*$/, '?…');
}
