import { type Config, decodeDataUrl, file, merge, parseConfigOrThrow, stringifyConfig } from '@coreiso/ignition';
import type { WorkerUserData } from '../cluster/facts.ts';

/** Stands for the host name; in a URL it stands for itself, so that a script can put the name in its place. */
const HOSTNAME_MARK = '__HOSTNAME__';

/** The Ignition config that the installed system boots with: the cluster's pointer, in the cluster's version of the specification. */
export function workerConfig(userData: WorkerUserData): string {
  return `${stringifyConfig(pointer(userData))}\n`;
}

/** The same with a host name, for the join script to fill in. */
export function namedWorkerConfig(userData: WorkerUserData): string {
  const config = pointer(userData);
  const hostname = file('/etc/hostname', HOSTNAME_MARK, { mode: 0o644, overwrite: true, compress: 'never' });
  const named: Config = { ignition: { version: config.ignition.version }, storage: { files: [hostname] } };
  return `${stringifyConfig(merge(config, named).config)}\n`;
}

function pointer(userData: WorkerUserData): Config {
  return parseConfigOrThrow(JSON.stringify(userData));
}

/** The certificates that the endpoint's own must descend from, in PEM; empty where the system's are meant. */
export function workerAuthorities({ ignition }: WorkerUserData): string {
  const texts = (ignition.security?.tls?.certificateAuthorities ?? []).map(({ source }) => {
    return new TextDecoder().decode(decodeDataUrl(source ?? '') ?? new Uint8Array());
  });
  return texts.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('');
}
