// A plan contains everything that upstream accepts, and the paths that upstream makes of it. These checks cover the
// names that become a path or a line of a file in coreiso's images.
import { type Diagnostic, formatPath, type Path } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { fileNameFault, lineFault } from '@coreiso/peers/file-name';
import { NodesConfigError } from '../errors.ts';
import type { Host } from '../rules/host.ts';
import { configDiagnostic } from '../text/codes.ts';

/** The parts of a planned host that become a path or a line. */
type NamedHost = Parameters<typeof requireSafeNames>[0]['hosts'][number];

/** Finds names that would put a file of an image outside its folder, or add a line to a table. */
export function unsafeNames(hosts: readonly NamedHost[], locate: (path: Path) => Diagnostic['range']): Diagnostic[] {
  return hosts
    .flatMap(faultsOf)
    .map((fault) =>
      configDiagnostic({ code: 'nodes-config/unsafe-name', severity: 'error', ...fault }, locate(fault.path)),
    );
}

/**
 * Refuses a plan with names that would put a file of an image outside its directory, or add a line to a table. All builders of
 * images call it.
 *
 * @example requireSafeNames(plan)
 */
export function requireSafeNames(plan: {
  readonly hosts: readonly {
    readonly path: Path;
    readonly hostname: string | undefined;
    readonly interfaces: Host['interfaces'];
    readonly rootDeviceHints?: Host['rootDeviceHints'];
    readonly network: { readonly profiles: readonly { readonly name: string }[] } | undefined;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}): void {
  checkArgument('plan', plan, 'object');
  const { hosts, diagnostics: known } = plan;
  checkArgument('plan.hosts', hosts, 'array');
  checkArgument('plan.diagnostics', known, 'array');
  const ranges = new Map(known.map((one) => [formatPath(one.path), one.range]));
  const diagnostics = unsafeNames(hosts, (path) => ranges.get(formatPath(path)));
  const [first] = diagnostics;
  if (first === undefined) return;
  const start = first.range?.start;
  const place = start === undefined ? '' : ` (line ${start.line}, column ${start.column})`;
  const message = `${formatPath(first.path)}${place}: ${first.message}`;
  throw new NodesConfigError('NODES_UNSAFE_NAME', message, { diagnostics });
}

interface Fault {
  readonly path: Path;
  readonly message: string;
  readonly help: string;
}

function faultsOf({ path, hostname = '', interfaces, rootDeviceHints = {}, network }: NamedHost): Fault[] {
  const faults: Fault[] = [];
  const refuse = (at: Path, name: string, fault: string | undefined, help: string): void => {
    if (fault === undefined) return;
    faults.push({ path: at, message: `no image can hold the name ${JSON.stringify(name)}: ${fault}`, help });
  };
  if (hostname !== '') refuse([...path, 'hostname'], hostname, fileNameFault(hostname), PLAIN);
  for (const { name, macAddress, path: at } of interfaces) {
    refuse([...at, 'name'], name, lineFault(name), 'Write it on one line.');
    if (macAddress !== '')
      refuse([...at, 'macAddress'], macAddress, fileNameFault(macAddress), 'Write it as XX:XX:XX:XX:XX:XX.');
  }
  for (const [hint, value] of Object.entries(rootDeviceHints)) {
    const [odd] = typeof value === 'string' ? (/[\p{Cc}\p{Cs}]/u.exec(value) ?? []) : [];
    if (odd === undefined) continue;
    const fault = odd < '\u{d800}' ? 'a control character' : 'an unpaired surrogate';
    const message = `no disk fits the root device hint ${JSON.stringify(value)}: it has ${fault}`;
    faults.push({ path: [...path, 'rootDeviceHints', hint], message, help: 'Write it as lsblk prints it.' });
  }
  for (const { name } of network?.profiles ?? [])
    refuse(
      [...path, 'networkConfig'],
      name,
      fileNameFault(name),
      `${PLAIN} The file is called after \`profile-name\`.`,
    );
  return faults;
}

const PLAIN = 'Use letters, digits, dashes and dots only.';
