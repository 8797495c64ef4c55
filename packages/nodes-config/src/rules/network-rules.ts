// What upstream's static network validation says about hosts with a network state, and what nmstate says about the state itself,
// at the user's own lines.
import type { Diagnostic, Node, Path, Range, TextDocument } from '@coreiso/diagnostics';
import { generateKeyfiles, type Keyfile, refusalKind } from '@coreiso/nmstate';
import type { Findings } from '../text/findings.ts';
import { readIni } from '../text/ini.ts';
import { entryOf, nodeAt } from '../text/lookup.ts';
import type { NetworkText } from '../text/table.ts';
import type { InterfaceValues } from './host-fields.ts';
import { isColonMac } from './mac.ts';

/** One host with a network; `number` counts only those, in the order of the text. */
export interface NetworkHost {
  readonly number: number;
  readonly path: Path;
  readonly interfaces: readonly InterfaceValues[];
  /** Undefined where a manifest has no state at all. */
  readonly network: NetworkText | undefined;
  /** Undefined where the host comes from another file. */
  readonly document: TextDocument | undefined;
}

/** The keyfiles of a host, none where its network is refused. */
export function checkNetwork(host: NetworkHost, findings: Findings<'network'>): readonly Keyfile[] {
  checkTable(host, findings);
  const { number, network } = host;
  const outcome = generateKeyfiles(network?.text ?? '', { mode: 'strict' });
  const accepted = outcome.ok ? outcome : generateKeyfiles(network?.text ?? '', { mode: 'compatible' });
  const places = new Places(host);
  if (!accepted.ok) {
    refuse(accepted.diagnostics, host, places, findings);
    return [];
  }
  for (const found of outcome.diagnostics) places.report(found, findings);
  const problem = keyfileProblem(accepted.value);
  if (problem === undefined) return accepted.value;
  const message = `failed to validate network yaml for host ${number}, ${problem.message}`;
  const path = network?.path ?? host.path;
  findings.upstream('network', { code: problem.code, message, path, cure: problem.cure });
  return problem.code === 'nodes-config/network-empty' ? [] : accepted.value;
}

/** The service's checks of the table from names to MAC addresses. */
function checkTable({ number, path, interfaces }: NetworkHost, findings: Findings<'network'>): void {
  const table = [...path, 'interfaces'];
  const report = (code: string, message: string, at: Path, cure: string): void =>
    findings.upstream('network', { code: `nodes-config/${code}`, message, path: at, cure });
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

/** The first refusal is what upstream prints; the others are worth knowing at the same time. */
function refuse(
  refusals: readonly Diagnostic[],
  host: NetworkHost,
  places: Places,
  findings: Findings<'network'>,
): void {
  const errors = refusals.filter(({ severity }) => severity === 'error');
  const [first, ...rest] = errors;
  if (first === undefined) return;
  const message = `failed to validate network yaml for host ${host.number}, failed to execute 'nmstatectl gc', error: ${nmstateText(first)}`;
  findings.upstream(
    'network',
    { ...places.place(first), code: first.code, message, cure: first.cure },
    places.range(first),
  );
  for (const other of rest) places.report(other, findings);
}

/** What stands behind the last `Error:` of nmstatectl's output; a text that it cannot parse has none, and all of it is quoted. */
function nmstateText(refusal: Diagnostic): string {
  const kind = refusalKind(refusal);
  if (kind === undefined) {
    return `Provide file is not valid NetworkState or NetworkPolicy: ${refusal.message}`;
  }
  return `Error: ${kind}: ${refusal.message}`.split('Error:').at(-1)?.trim() ?? '';
}

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly cure: string;
}

function keyfileProblem(keyfiles: readonly Keyfile[]): Problem | undefined {
  if (keyfiles.length === 0) {
    return {
      code: 'nodes-config/network-empty',
      message: 'nmstate generated an empty NetworkManager config file content',
      cure: 'Describe at least one interface that is up, or leave the network out to use DHCP.',
    };
  }
  for (const { content } of keyfiles) {
    const reading = readIni(content);
    if (!reading.ok) {
      return {
        code: 'nodes-config/keyfile-line',
        message: reading.message,
        cure: 'Keep the text on one line.',
      };
    }
  }
  return undefined;
}

/** Turns nmstate's places, which are in a text the user never saw, into places of the user's own. */
class Places {
  readonly #host: NetworkHost;

  constructor(host: NetworkHost) {
    this.#host = host;
  }

  place({ path }: Diagnostic): { readonly path: Path } {
    return { path: [...(this.#host.network?.path ?? this.#host.path), ...path] };
  }

  range(found: Diagnostic): Range | undefined {
    const { document, network } = this.#host;
    if (document === undefined || network === undefined) return undefined;
    const place = this.#keyOf(network, found) ?? nodeAt(network.node, found.path);
    return place && document.range(place);
  }

  /** Where nmstate points at a key, of the map at the path or on the way to it, so do we. */
  #keyOf({ node, text }: NetworkText, { path, range }: Diagnostic): Node | undefined {
    const pointed =
      range === undefined ? '' : text.slice(range.start.offset, range.end.offset).replace(/^["']|["']$/g, '');
    const parent = nodeAt(node, path.at(-1) === pointed ? path.slice(0, -1) : path);
    return parent?.kind === 'mapping' ? entryOf(parent, pointed)?.key : undefined;
  }

  /** A finding that upstream does not make: an error of nmstate behind its first one, or a rule of strict reading. */
  report(found: Diagnostic, findings: Findings<'network'>): void {
    const { code, message, cure, severity } = found;
    const finding = { ...this.place(found), code, message, cure };
    if (severity === 'error') findings.own(finding, this.range(found));
    else findings.note(severity, finding, this.range(found));
  }
}
