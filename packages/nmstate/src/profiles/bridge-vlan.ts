import type { Report } from '../plan/report.ts';
import type { BridgePortVlanConfig } from '../state/generated/types.ts';

export type TrunkTag = NonNullable<BridgePortVlanConfig['trunk-tags']>[number];

interface Tag {
  readonly min: number;
  readonly max: number;
  readonly text: string;
}

const LAST_ID = 0xffff;

export function trunkRange(tag: TrunkTag): { min: number; max: number } {
  return 'id' in tag ? { min: tag.id, max: tag.id } : tag['id-range'];
}

/** `12` or `12-14`. */
export function rangeText({ min, max }: { min: number; max: number }): string {
  return min === max ? String(min) : `${min}-${max}`;
}

/** `asIds`: ranges are taken apart before they are compared, as nmstate does for Linux bridges. */
export function checkPortVlan(vlan: BridgePortVlanConfig, report: Report, { asIds }: { asIds: boolean }): void {
  const { mode, tag, 'enable-native': native, 'trunk-tags': tags } = vlan;
  if (mode === 'trunk' && tag !== undefined && tag !== 0 && native !== true) {
    report
      .at('tag')
      .invalid(
        'Bridge VLAN filtering `tag` cannot be use in trunk mode without `enable-native`',
        'Add `enable-native: true`.',
      );
  }
  if (mode === 'access' && native === true) {
    report.at('enable-native').invalid('Bridge VLAN filtering `enable-native: true` cannot be set in access mode');
  }
  if (mode === 'access' && tags !== undefined && tags.length > 0) {
    report.at('trunk-tags').invalid('Bridge VLAN filtering access mode cannot have trunk-tags defined');
  }
  if (mode === 'trunk' && tags === undefined) {
    report.invalid('Bridge VLAN filtering trunk mode cannot have empty trunk-tags', 'Add `trunk-tags`.');
  }
  if (tags !== undefined) checkOverlap(tags, report.at('trunk-tags'), asIds);
}

function checkOverlap(tags: readonly TrunkTag[], report: Report, asIds: boolean): void {
  const all = tags.map((tag): Tag => {
    const range = trunkRange(tag);
    // A range up to the last number wraps around in nmstate, which makes it empty.
    const isEmpty = !('id' in tag) && range.max === LAST_ID;
    const text = 'id' in tag ? `id=${tag.id}` : `id-range=[${range.min},${range.max}]`;
    return { min: range.min, max: isEmpty ? -1 : range.max, text };
  });
  const sorted = all.filter(({ min, max }) => min <= max).sort((a, b) => a.min - b.min);
  let reached = -1;
  let shared: number | undefined;
  for (const { min, max } of sorted) {
    if (min <= reached) {
      shared = min;
      break;
    }
    reached = max;
  }
  if (shared === undefined) return;
  const [tag, other] = asIds ? [`id=${shared}`, `id=${shared}`] : firstOverlap(all);
  report.invalid(`Bridge VLAN trunk tag ${tag} is overlapping with other tag ${other}`, 'Name each VLAN once.');
}

/** In the order they were written; the ranges before the first overlap have no number in common, so this is bounded. */
function firstOverlap(tags: readonly Tag[]): [string, string] {
  const owners = new Map<number, string>();
  for (const { min, max, text } of tags) {
    for (let id = min; id <= max; id++) {
      const owner = owners.get(id);
      if (owner !== undefined) return [text, owner];
      owners.set(id, text);
    }
  }
  return ['', ''];
}
