// Keys that are valid in another place.
import type { Path } from '@coreiso/diagnostics';
import type { Advice } from '../text/decode.ts';

interface Rule {
  readonly parent: RegExp;
  readonly keys: RegExp;
  readonly help: (key: string) => string;
}

const RULES: readonly Rule[] = [
  {
    parent: /^$/,
    keys: /^(?:rendezvousIP|additionalNTPSources|bootArtifactsBaseURL|minimalISO)$/i,
    help: (key) => `Move \`${key}\` to agent-config.yaml.`,
  },
  {
    parent: /^$/,
    keys: /^hosts$/i,
    help: () => 'Move `hosts` to agent-config.yaml, or to `platform.baremetal`.',
  },
  {
    parent: /^$/,
    keys: /^(?:clusterNetwork|machineNetwork|serviceNetwork|networkType)$/i,
    help: (key) => `Move \`${key}\` into \`networking\`.`,
  },
  {
    parent: /^$/,
    keys: /^(?:baremetal|vsphere|nutanix|none|external|apiVIPs?|ingressVIPs?)$/i,
    help: (key) => `Move \`${key}\` into \`platform\`.`,
  },
  { parent: /^$/, keys: /^name$/i, help: () => 'Move `name` into `metadata`.' },
  { parent: /^$/, keys: /^spec$/i, help: () => 'Move the keys below `spec` up one level, and remove `spec`.' },
  {
    parent: /^platform\.baremetal\.hosts$/,
    keys: /^(?:hostname|interfaces)$/i,
    help: (key) =>
      /^hostname$/i.test(key)
        ? 'Did you mean `name`?'
        : 'Write `bootMACAddress`, or move the hosts to agent-config.yaml.',
  },
];

/** Returns help for a key that is unknown at its place in an install config; undefined if there is no special help. */
export function adviceForInstallConfig(parent: Path, key: string): Advice | undefined {
  const names = parent.filter((step) => typeof step === 'string').join('.');
  const found = RULES.find((rule) => rule.parent.test(names) && rule.keys.test(key));
  return found && { help: found.help(key), misplaced: true };
}
