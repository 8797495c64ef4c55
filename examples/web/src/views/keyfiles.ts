// The NetworkManager profiles of one host, as they will be in the image.
import { withoutSecrets } from '@coreiso/diagnostics';
import { keyfileOf, type Profile, settingOf } from '@coreiso/nmstate';
import { KEYFILES } from '../texts/keyfiles.ts';
import type { Block, SecretDisplay, View } from './blocks.ts';

/** `host<N>` in an image for all hosts; undefined if profiles are in NetworkManager's own folder. */
export interface HostProfiles {
  readonly directory: string | undefined;
  readonly profiles: readonly Profile[];
}

export function keyfilesView({ directory, profiles }: HostProfiles, { secrets }: SecretDisplay): View {
  if (profiles.length === 0) {
    return { blocks: [{ kind: 'sentence', tone: 'plain', text: KEYFILES.none }], hidesSecrets: false };
  }
  const files = profiles.map((profile) => ({ profile, text: keyfileOf(profile).content }));
  const shown = files.map(({ profile, text }) => {
    const safe = secrets === 'shown' ? text : String(withoutSecrets(text));
    return { profile, text: safe, isHidden: safe !== text };
  });
  const place: Block[] =
    directory === undefined
      ? []
      : [
          { kind: 'sentence', tone: 'plain', text: KEYFILES.chosen },
          { kind: 'facts', rows: [{ key: 'directory', name: KEYFILES.place, value: directory }] },
        ];
  return {
    blocks: [
      ...place,
      ...shown.map(({ profile, text }): Block => {
        const { name } = profile;
        return { kind: 'file', key: `keyfile/${name}`, name, detail: describeProfile(profile), text };
      }),
    ],
    hidesSecrets: shown.some(({ isHidden }) => isHidden),
  };
}

/** The purpose of a profile: `vlan on bond0, 192.0.2.10/24`. */
export function describeProfile(profile: Profile): string {
  const type = (settingOf(profile, 'connection', 'type') ?? 'profile').replace(/^802-3-/, '');
  const parent = settingOf(profile, type, 'parent');
  const controller = settingOf(profile, 'connection', 'master');
  return [
    parent === undefined ? type : `${type} on ${parent}`,
    ...(controller === undefined ? [] : [`port of ${controller}`]),
    ...['ipv4', 'ipv6'].flatMap((family) => addresses(profile, family)),
  ].join(', ');
}

function addresses({ sections }: Profile, family: string): string[] {
  const { settings = [] } = sections.find(({ name }) => name === family) ?? {};
  if (settings.some(({ key, value }) => key === 'method' && value === 'auto'))
    return [family === 'ipv4' ? 'DHCP' : 'IPv6 from the network'];
  return settings.filter(({ key }) => /^address\d+$/.test(key)).map(({ value }) => value.split(',')[0] ?? value);
}
