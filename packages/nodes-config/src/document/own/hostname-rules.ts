import { formatPath } from '@coreiso/diagnostics';
import type { Findings } from '../findings.ts';
import type { CheckedHost } from './checked-host.ts';
import type { FirstUses } from './first-uses.ts';

const HOSTNAME = /^[a-z0-9][a-z0-9-]{0,62}(?:[.][a-z0-9-]{1,63})*$/;

/** The service on the node refuses these names. */
const LOCAL_NAMES: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
]);

/** Names that the service refuses on the node, or that lead out of their directory. */
export function checkHostname({ path, values }: CheckedHost, uses: FirstUses, findings: Findings): void {
  const { hostname } = values;
  if (hostname === '') return;
  const at = [...path, 'hostname'];
  const report = (code: string, message: string, cure: string): void =>
    findings.own({ code: `nodes-config/${code}`, message, path: at, cure });
  const earlier = uses.claim(hostname.toLowerCase(), { text: hostname, path: at });
  if (earlier !== undefined) {
    const message = `${hostname} is already the name of ${formatPath(earlier.path.slice(0, -1))}`;
    report('duplicate-hostname', message, 'Give every host a name of its own.');
  }
  if (/[/\0]/.test(hostname) || hostname === '.' || hostname === '..') {
    const message = `\`${hostname}\` is no file name: the files of this host would land in another directory`;
    report('hostname-path', message, 'Use letters, digits, dashes and dots only.');
  } else if (hostname.length > 63) {
    const message = `hostname is too long, must be 63 characters or less. Hostname: ${hostname} has ${hostname.length} characters`;
    report('hostname-invalid', message, 'Shorten it.');
  } else if (!HOSTNAME.test(hostname)) {
    const message = `Hostname does not pass required regex validation: ${HOSTNAME.source}. Hostname: ${hostname}`;
    report(
      'hostname-invalid',
      message,
      'Use lower-case letters, digits, dashes and dots, and begin with a letter or digit.',
    );
  } else if (LOCAL_NAMES.has(hostname)) {
    report('hostname-invalid', `The host name ${hostname} is forbidden`, 'Choose another name.');
  }
}
