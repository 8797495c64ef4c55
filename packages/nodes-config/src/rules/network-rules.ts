// Upstream's static network validation of hosts with a network state, and nmstate's findings about the state itself,
// at the user's own lines.
import { type Diagnostic, formatPath, type Path } from '@coreiso/diagnostics';
import { judgeState, type Profile, refusalKind } from '@coreiso/nmstate';
import { codeOf, type Rule } from '../text/codes.ts';
import type { Findings, Place } from '../text/config-findings.ts';
import type { NetworkText } from '../text/table.ts';
import type { InterfaceValues } from './host-fields.ts';
import { isColonMac } from './mac.ts';
import { asPassedToNmstate, readLinks } from './network-view.ts';
import { checkWords } from './own/keyfile-rules.ts';
import { throughIni } from './through-ini.ts';

/** One host with a network; `number` counts only those, in the order of the text. */
export interface NetworkHost {
  readonly number: number;
  readonly path: Path;
  readonly interfaces: readonly InterfaceValues[];
  /** Undefined if a manifest has no state at all. */
  readonly network: NetworkText | undefined;
  /** Whether the host comes from another file; its findings then have no place. */
  readonly isElsewhere: boolean;
}

/** The profiles of a host as upstream writes them, none if its network is refused. */
export function checkNetwork(host: NetworkHost, findings: Findings<'network'>): readonly Profile[] {
  checkTable(host, findings);
  const { number, network } = host;
  const path = network?.path ?? host.path;
  // Upstream passes on the YAML that Go writes. These nodes are what nmstate would read from it, at the user's own
  // places.
  const { strict, compatible } = judgeState(
    network === undefined ? '' : { node: asPassedToNmstate(network.node), document: network.document },
  );
  const place = ({ range }: Diagnostic): Place | undefined => (host.isElsewhere ? 'elsewhere' : range);
  const report = (found: Diagnostic): void => {
    const { message, help, severity } = found;
    const finding = { path: [...path, ...found.path], code: codeOf(found), message, help };
    if (severity === 'error') findings.own(finding, place(found));
    else findings.note(severity, finding, place(found));
  };
  if (!compatible.ok) {
    // Upstream prints only the first refusal; the others are reported so that all can be fixed at once.
    const [first, ...rest] = compatible.diagnostics.filter(({ severity }) => severity === 'error');
    if (first === undefined) return [];
    const message = `failed to validate network yaml for host ${number}, failed to execute 'nmstatectl gc', error: ${nmstateText(first)}`;
    const finding = { path: [...path, ...first.path], code: codeOf(first), message, help: first.help };
    findings.upstream('network', finding, place(first));
    rest.forEach(report);
    return [];
  }
  strict.diagnostics.filter((found) => !isCardOfTable(found, host)).forEach(report);
  checkWords(host.path, host.interfaces, compatible.value, findings);
  const passages = compatible.value.map(throughIni);
  const refused = passages.find((passage) => !passage.ok);
  const problem = compatible.value.length === 0 ? EMPTY : refused && { ...UNREADABLE, message: refused.message };
  if (problem !== undefined) {
    const message = `failed to validate network yaml for host ${number}, ${problem.message}`;
    findings.upstream('network', { ...problem, message, path });
  }
  return passages.flatMap((passage) => (passage.ok ? [passage.profile] : []));
}

/** nmstate treats an undeclared port as a card, and a name in the table is a card. */
function isCardOfTable({ code, path }: Diagnostic, { network, interfaces }: NetworkHost): boolean {
  if (code !== 'nmstate/undeclared-port' || network === undefined) return false;
  const place = formatPath(path);
  const ports = readLinks({ node: network.node, path: [] }).flatMap(({ below }) => below);
  const port = ports.find((one) => formatPath(one.path) === place);
  return interfaces.some(({ name }) => name === port?.name);
}

/** The service's checks of the table from names to MAC addresses. */
function checkTable({ number, path, interfaces }: NetworkHost, findings: Findings<'network'>): void {
  const table = [...path, 'interfaces'];
  const report = (code: Rule, message: string, at: Path, help: string): void =>
    findings.upstream('network', { code: `nodes-config/${code}`, message, path: at, help });
  if (interfaces.length === 0) {
    const message = `at least one interface for host ${number} must be provided`;
    report('no-interfaces', message, table, 'Add the MAC address of at least one interface.');
  }
  for (const [index, { macAddress }] of interfaces.entries()) {
    if (isColonMac(macAddress)) continue;
    const message = `MAC address ${macAddress} for host ${number} is incorrectly formatted, use XX:XX:XX:XX:XX:XX format`;
    report('mac-form', message, [...table, index, 'macAddress'], 'Write six pairs of digits with colons between them.');
  }
  const names = new Set(interfaces.map(({ name }) => name));
  const macs = new Set(interfaces.map(({ macAddress }) => macAddress));
  if (names.size < interfaces.length || macs.size < interfaces.length) {
    const message = `MACs and Interfaces for host ${number} must be unique`;
    report('table-not-unique', message, table, 'Give every interface a name and a MAC address of its own.');
  }
}

/**
 * The text after the last `Error:` of nmstatectl's output; if the text cannot be parsed there is no `Error:`, and the
 * whole output is quoted.
 */
function nmstateText(refusal: Diagnostic): string {
  const kind = refusalKind(refusal);
  if (kind === undefined) {
    return `Provide file is not valid NetworkState or NetworkPolicy: ${refusal.message}`;
  }
  return `Error: ${kind}: ${refusal.message}`.split('Error:').at(-1)?.trim() ?? '';
}

const EMPTY = {
  code: 'nodes-config/network-empty',
  message: 'nmstate generated an empty NetworkManager config file content',
  help: 'Describe at least one interface that is up, or leave the network out to use DHCP.',
} as const;

const UNREADABLE = { code: 'nodes-config/keyfile-line', help: 'Keep the text on one line.' } as const;
