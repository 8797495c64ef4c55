import { type Finding as AnyFinding, type Diagnostic, diagnostic, type Range } from '@coreiso/diagnostics';

/** Every code of this package's findings, without the prefix `nmstate/`, with its meaning; the README has the same list. */
export const CODES = {
  // Refused by nmstate.
  'invalid-argument': 'nmstate refuses a value or a combination of values.',
  'not-implemented': 'nmstate cannot write profiles for this.',
  'not-supported': 'nmstate does not support this.',
  policy: 'nmstate finds no result for a policy: a capture matches nothing, or a reference leads to nothing.',
  'unknown-key': 'A key is unknown.',
  'missing-key': 'A key is missing.',
  'duplicate-key': 'A key appears twice; under `interfaces` the last one counts.',
  'refused-key': 'A key is not allowed for the family.',
  'unknown-value': 'A word is not one of those that the key accepts.',
  'wrong-value': 'A value does not fit its key.',
  'wrong-type': 'A value has the wrong type.',
  'wrong-address': 'A text is not an IP address.',
  'out-of-range': 'A number is too small or too large.',
  'several-documents': 'The text has a second document.',
  'byte-order-mark': 'The text begins with a byte order mark, which nmstate reads as a document.',
  'no-break-space': 'nmstate reads a no-break space as a space, which splits the value.',
  capture: 'Captures of a policy cannot be read, or there is no state to look at.',
  // Cannot work: errors of strict mode.
  'unknown-type': 'A type is unknown, and nmstate treats it as ethernet.',
  'duplicate-interface': 'An interface appears twice; the last one counts.',
  'duplicate-profile': 'Two profiles have one file.',
  'vlan-id': 'The number is invalid for a VLAN.',
  'vxlan-id': 'The number is invalid for a VXLAN.',
  'interface-name': 'The kernel does not accept the name.',
  'mac-address': 'NetworkManager does not accept the MAC address.',
  'missing-identifier': 'A profile has to match an address that is missing.',
  'line-break': 'A text of several lines breaks the profile.',
  'keyfile-escape': 'A backslash or a semicolon has another meaning in a profile.',
  'profile-file': 'The name of the profile is invalid for a file.',
  'missing-section': 'NetworkManager refuses a profile without the settings of its type.',
  'missing-vf': 'There are fewer virtual functions than are configured.',
  'routes-without-address': 'NetworkManager refuses routes without an address.',
  'inverted-value': '`stp: no` of an Open vSwitch bridge, which nmstate reads as yes.',
  'dropped-server': 'nmstate forgets a name server.',
  // Probable mistakes: warnings of strict mode.
  'undeclared-port': 'A port is not among the interfaces.',
  'undeclared-parent': 'A base interface is not among the interfaces.',
  'primary-port': 'The primary port is not a port of the bond.',
  'unreachable-gateway': 'A next hop is on no network of its interface.',
  'unreachable-server': 'No route leads to a name server.',
  'lost-rule': 'nmstate leaves out a routing rule.',
  'ip-not-enabled': 'Addresses are given to a family that is off.',
  'dropped-address': 'An address will not be set.',
  'wait-ip': 'The profile waits for an address that it will not have.',
  'unused-key': 'A key has no effect on profiles.',
  'ignored-key': 'A key is unknown, and nmstate ignores it.',
  'dropped-value': 'nmstate does not write a value.',
  'list-as-map': 'nmstate reads a list as a map.',
  'incomplete-profile': 'nmstate writes no settings of the type.',
  'assumed-type': 'There is no type; nmstate treats the interface as ethernet.',
} as const;

/** A code of this package without its prefix. */
export type Rule = keyof typeof CODES;

/** A code of this package. */
export type StateCode = `nmstate/${Rule}`;

/** A finding with a code of this table. */
export interface StateFinding extends AnyFinding {
  readonly code: StateCode;
}

/** `diagnostic` for findings of this package. */
export function stateDiagnostic(finding: StateFinding, range?: Range): Diagnostic {
  return diagnostic(finding, range);
}
