import { checkArgument } from '@coreiso/peers/arguments';
import { type BootProof, type BootWay, verdictOf } from './links.ts';

const FIRMWARE = { bios: 'BIOS', uefi: 'UEFI', 'open-firmware': 'Open Firmware', s390x: 's390x' } as const;
const MEDIUM = { cd: 'CD', disk: 'disk' } as const;

/** For example `BIOS from CD`. */
function nameOf({ firmware, medium }: BootWay): string {
  return `${FIRMWARE[firmware]} from ${MEDIUM[medium]}`;
}

/** The proof in one line: the ways, or the first bad link of each way. */
export function summarizeBoot({ verdict, ways }: BootProof): string {
  if (ways.length === 0) return 'no way to boot is known';
  const meant = ways.filter((way) => way.verdict === verdict);
  if (verdict === 'boots') return meant.map(nameOf).join(', ');
  const state = verdict === 'broken' ? 'broken' : 'unknown';
  const reasons = new Map<string, string[]>();
  for (const way of meant) {
    const link = way.links.find((each) => each.state === state);
    const reason = `${link?.name}: ${link?.detail}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), nameOf(way)]);
  }
  const text = [...reasons].map(([reason, names]) => `${names.join(', ')}: ${reason}`).join('; ');
  return verdict === 'broken' ? text : `unknown (${text})`;
}

/**
 * Formats a boot proof for people: each way to boot with the kernel it starts, and each broken or unknown link.
 *
 * @example
 * ```ts
 * const { boot } = await verifyImage(await fileSource('worker.iso'));
 * console.log(formatBootProof(boot));
 * ```
 */
export function formatBootProof(proof: BootProof): string {
  checkArgument('proof', proof, 'object');
  checkArgument('proof.ways', proof.ways, 'array');
  const lines = proof.ways.flatMap((way) => {
    const { verdict, links, boots } = way;
    const found = links.filter(({ state }) => state === 'ok').map(({ name }) => name);
    const label = verdict === 'boots' ? 'boots' : verdict === 'broken' ? 'BROKEN' : 'unknown';
    return [
      `${nameOf(way)}: ${label} (${[...new Set(found)].join(', ')})`,
      ...links.filter(({ state }) => state !== 'ok').map(({ name, state, detail }) => `  ${state} ${name}: ${detail}`),
      ...(boots === undefined
        ? []
        : [`  kernel: ${boots.kernel}, initrds: ${boots.initrds.join(', ')}`, `  arguments: ${boots.arguments}`]),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Links that a change broke, by way and link. */
export function newlyBroken(before: BootProof, after: BootProof): string | undefined {
  const ways = after.ways.flatMap((way) => {
    const old = before.ways.find(({ firmware, medium }) => firmware === way.firmware && medium === way.medium);
    const known = new Set(old?.links.filter(({ state }) => state === 'broken').map(({ name }) => name));
    const links = way.links.filter(({ name, state }) => state === 'broken' && !known.has(name));
    return links.length === 0 ? [] : [{ ...way, verdict: 'broken' as const, links }];
  });
  const lost = before.ways.filter(
    ({ firmware, medium, verdict }) =>
      verdict !== 'broken' && !after.ways.some((way) => way.firmware === firmware && way.medium === medium),
  );
  if (lost.length > 0) return `${lost.map(nameOf).join(', ')}: nothing to start`;
  return ways.length === 0 ? undefined : summarizeBoot({ verdict: verdictOf(['broken']), ways });
}
