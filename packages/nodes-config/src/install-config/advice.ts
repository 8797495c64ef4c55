// Keys that are right somewhere else.
import type { Path } from '@coreiso/diagnostics';
import type { Advice } from '../text/decode.ts';

interface Rule {
  readonly parent: RegExp;
  readonly keys: RegExp;
  readonly cure: (key: string) => string;
}

const RULES: readonly Rule[] = [
  {
    parent: /^$/,
    keys: /^(?:rendezvousIP|additionalNTPSources|bootArtifactsBaseURL|minimalISO)$/i,
    cure: (key) => `Move \`${key}\` to agent-config.yaml.`,
  },
  {
    parent: /^$/,
    keys: /^hosts$/i,
    cure: () => 'Move `hosts` to agent-config.yaml, or to `platform.baremetal`.',
  },
  {
    parent: /^$/,
    keys: /^(?:clusterNetwork|machineNetwork|serviceNetwork|networkType)$/i,
    cure: (key) => `Move \`${key}\` into \`networking\`.`,
  },
  {
    parent: /^$/,
    keys: /^(?:baremetal|vsphere|nutanix|none|external|apiVIPs?|ingressVIPs?)$/i,
    cure: (key) => `Move \`${key}\` into \`platform\`.`,
  },
  { parent: /^$/, keys: /^name$/i, cure: () => 'Move `name` into `metadata`.' },
  { parent: /^$/, keys: /^spec$/i, cure: () => 'Move the keys below `spec` up one level, and remove `spec`.' },
  {
    parent: /^platform\.baremetal\.hosts$/,
    keys: /^(?:hostname|interfaces)$/i,
    cure: (key) =>
      /^hostname$/i.test(key)
        ? 'Did you mean `name`?'
        : 'Write `bootMACAddress`, or move the hosts to agent-config.yaml.',
  },
];

/** What to do with a key that an install config does not know where it stands; undefined if there is nothing special. */
export function adviceForInstallConfig(parent: Path, key: string): Advice | undefined {
  const names = parent.filter((step) => typeof step === 'string').join('.');
  const found = RULES.find((rule) => rule.parent.test(names) && rule.keys.test(key));
  return found && { cure: found.cure(key), misplaced: true };
}
