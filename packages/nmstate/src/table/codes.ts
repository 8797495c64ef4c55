import { type Finding as AnyFinding, type Diagnostic, diagnostic, type Range } from '@coreiso/diagnostics';

/** Every code of this package's findings, behind `nmstate/`, and what it means; the README has the same list. */
export const CODES = {
  // What nmstate refuses.
  'invalid-argument': 'nmstate refuses a value or a combination of values.',
  'not-implemented': 'nmstate cannot write profiles for this.',
  'not-supported': 'nmstate does not support this.',
  policy: 'nmstate finds no result for a policy: a capture matches nothing, or a reference leads to nothing.',
  'unknown-key': 'A key is not known.',
  'missing-key': 'A key is not there.',
  'duplicate-key': 'A key is there twice; under `interfaces` the last one counts.',
  'refused-key': 'A key is not allowed for the family.',
  'unknown-value': 'A word is none of those that the key takes.',
  'wrong-value': 'A value does not fit its key.',
  'wrong-type': 'A value has another type than its key.',
  'wrong-address': 'A text is no IP address.',
  'out-of-range': 'A number is too small or too large.',
  'several-documents': 'The text has a second document.',
  'byte-order-mark': 'The text begins with a byte order mark, which nmstate takes for a document.',
  'no-break-space': 'nmstate takes a no-break space for a space, and the value falls apart.',
  capture: 'Captures of a policy cannot be read, or there is no state to look at.',
  // What cannot work; strict mode has errors for it.
  'unknown-type': 'A type is not known, and nmstate takes it for ethernet.',
  'duplicate-interface': 'An interface is there twice; the last one counts.',
  'duplicate-profile': 'Two profiles have one file.',
  'vlan-id': 'No VLAN can have the number.',
  'vxlan-id': 'No VXLAN can have the number.',
  'interface-name': 'The kernel takes no such name.',
  'mac-address': 'NetworkManager takes no such MAC address.',
  'missing-identifier': 'A profile is to match an address that is not given.',
  'line-break': 'A text of several lines breaks the profile.',
  'keyfile-escape': 'A backslash or a semicolon means something else in a profile.',
  'profile-file': 'No file can have the name of the profile.',
  'missing-section': 'NetworkManager refuses a profile without the settings of its type.',
  'missing-vf': 'There are fewer virtual functions than are configured.',
  'routes-without-address': 'NetworkManager refuses routes without an address.',
  'inverted-value': '`stp: no` of an Open vSwitch bridge, which nmstate takes for yes.',
  'dropped-server': 'nmstate forgets a name server.',
  // What may be meant; strict mode warns of it.
  'undeclared-port': 'A port is not among the interfaces.',
  'undeclared-parent': 'A base interface is not among the interfaces.',
  'primary-port': 'The primary port is none of the bond.',
  'unreachable-gateway': 'A next hop is on no network of its interface.',
  'unreachable-server': 'No route leads to a name server.',
  'lost-rule': 'nmstate leaves out a routing rule.',
  'ip-not-enabled': 'Addresses are given to a family that is off.',
  'dropped-address': 'An address will not be set.',
  'wait-ip': 'The profile waits for an address that it will not have.',
  'unused-key': 'A key has no effect on profiles.',
  'ignored-key': 'A key is not known, and nmstate ignores it.',
  'dropped-value': 'nmstate does not write a value.',
  'list-as-map': 'nmstate takes a list for a map.',
  'incomplete-profile': 'nmstate writes no settings of the type.',
  'assumed-type': 'There is no type; it is taken for ethernet.',
} as const;

/** A code of this package without the package in front. */
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
