import type { Profile } from './profile.ts';

/** NetworkManager's "for ever": a machine that boots before its network must not give up on DHCP. */
export const FOREVER = 2_147_483_647;

/** Both families off, as on the other end of a virtual cable. */
export function writeDisabledIp(profile: Profile): void {
  profile.section('ipv4').set('dhcp-timeout', FOREVER).set('method', 'disabled');
  profile.section('ipv6').set('addr-gen-mode', 0).set('dhcp-timeout', FOREVER).set('method', 'disabled');
}
