import { bytesSource } from '@coreiso/iso';
import { authTokenSecret, reusableTokens, type ServiceCredentials } from '@coreiso/nodes-config';
import { type NamedOutput, type NodesPlan, type NodesPlanOptions, newStatusToken } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure, inContext } from '../../frame/failure.ts';
import { readSecretText } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import type { Option } from '../../frame/usage.ts';
import type { KeptTokens, PlannedCluster } from './cluster.ts';
import { join, joinTakes } from './join.ts';

/** What decides over a plan besides the config and the cluster. */
export const planArguments: readonly Option[] = [
  join,
  {
    name: 'auth-token',
    value: 'FILE',
    rare: true,
    help: 'For --join service without --live: Secret openshift-config/agent-auth-token, as oc prints it',
  },
  {
    name: 'valid-for',
    value: 'TIME',
    check: (text) => void milliseconds(text),
    help: 'How long it can install: 90m, 7d (default: 48h)',
  },
  {
    name: 'valid-until',
    value: 'DATE',
    conflicts: ['valid-for'],
    check: (text) => void instant(text),
    rare: true,
    help: 'When it stops installing: 2030-01-31T12:00:00Z; equal times make equal images',
  },
  {
    name: 'password-hash-file',
    value: 'FILE',
    rare: true,
    help: 'Password hash of user core on the console of the live system (openssl passwd -6)',
  },
];

/** What single hosts are installed with besides the cluster's own. */
export const hostIgnition: Option = {
  name: 'host-ignition',
  value: 'HOST=FILE',
  repeatable: true,
  rare: true,
  check: (text) => void hostFile(text),
  help: 'Ignition config to merge into that of a worker, such as one of nodes advise --manifests; for --join direct',
};

/** The token of the port on which machines tell how far they are, from a file. */
export const statusTokenFile: Option = {
  name: 'status-token-file',
  value: 'FILE',
  rare: true,
  help: 'Token of the status port (default: a new one); equal tokens make equal images',
};

/** Machines that install themselves tell how far they are, unless this is given. */
export const noStatus: Option = {
  name: 'no-status',
  conflicts: ['status-token-file'],
  rare: true,
  help: 'Build without the status port that nodes monitor reads',
};

/** What the status port is opened with: the token of a file, or a new one where somebody keeps it. */
export async function readStatusToken(
  args: Arguments,
  terminal: Terminal,
  unnamed: 'new' | 'none',
): Promise<string | undefined> {
  const file = args.optional('status-token-file');
  if (file !== undefined) return (await readSecretText(terminal, file)).trim();
  return unnamed === 'none' || args.has('no-status') ? undefined : newStatusToken();
}

/** Says where images that others fetch lack the status port that images in files have. */
export function tellNoStatus(args: Arguments, terminal: Terminal, { join: how, statusToken }: NodesPlan): void {
  if (!joinTakes(how, 'statusToken') || statusToken !== undefined || args.has('no-status')) return;
  terminal.say('The images have no status port; open one with --status-token-file FILE');
}

/** The options of `planNodes` that the command line gives. */
export async function planOptions(
  args: Arguments,
  terminal: Terminal,
  { facts, tokens }: PlannedCluster,
  how = args.optional('join'),
): Promise<NodesPlanOptions> {
  const hashFile = args.optional('password-hash-file');
  const expires = askedExpiry(args);
  const credentials = joinTakes(how, 'credentials') ? await serviceCredentials(tokens, expires, terminal) : undefined;
  return {
    cluster: facts,
    join: how,
    credentials,
    expires,
    hostIgnition: await readHostIgnition(args, terminal),
    passwordHash: hashFile === undefined ? undefined : await readHash(terminal, hashFile),
  };
}

/** Configs by the names of hosts; several for one host are merged in their order. */
async function readHostIgnition(args: Arguments, terminal: Terminal): Promise<NodesPlanOptions['hostIgnition']> {
  const given = args.list('host-ignition').map(hostFile);
  if (given.length === 0) return undefined;
  const { merge, parseConfigOrThrow, stringifyConfig } = await import('@coreiso/ignition');
  const configs = new Map<string, ReturnType<typeof parseConfigOrThrow>>();
  for (const [host, file] of given) {
    const text = await readSecretText(terminal, file);
    const config = await inContext(`cannot read ${file}`, async () => parseConfigOrThrow(text));
    const before = configs.get(host);
    configs.set(host, before === undefined ? config : merge(before, config).config);
  }
  return Object.fromEntries([...configs].map(([host, config]) => [host, stringifyConfig(config)]));
}

/** `HOST=FILE`; throws where it is not. */
function hostFile(text: string): readonly [host: string, file: string] {
  const [, host = '', file = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (host === '') throw new Error('expected HOST=FILE, such as far-0=ignition-override-far-0.ign');
  return [host, file];
}

function askedExpiry(args: Arguments): Date | undefined {
  const [validFor, validUntil] = [args.optional('valid-for'), args.optional('valid-until')];
  if (validUntil !== undefined) return instant(validUntil);
  return validFor === undefined ? undefined : new Date(Date.now() + milliseconds(validFor));
}

/** New ones, with the tokens that the cluster knows already where they are still good, and expire when they should. */
async function serviceCredentials(
  kept: KeptTokens | undefined,
  expires: Date | undefined,
  terminal: Terminal,
): Promise<ServiceCredentials> {
  const { makeCredentials } = await import('@coreiso/openshift');
  const credentials = await makeCredentials({ clock: () => new Date(), workflow: 'add-nodes', expires });
  if (kept === undefined) return credentials;
  const reuse = reusableTokens(kept.objects, new Date());
  const isOther = reuse.ok && expires !== undefined && reuse.tokens.expires !== credentials.tokens.expires;
  if (reuse.ok && !isOther) return { ...credentials, tokens: reuse.tokens };
  const reason = reuse.ok ? `its tokens expire at ${reuse.tokens.expires}` : reuse.reason;
  terminal.say(`${kept.from}: ${reason}; making new ones`);
  return credentials;
}

/** Whether the cluster has these tokens already. */
function isKept({ tokens }: ServiceCredentials, { tokens: kept }: PlannedCluster): boolean {
  const reuse = kept === undefined ? undefined : reusableTokens(kept.objects, new Date());
  return reuse?.ok === true && reuse.tokens.user === tokens.user;
}

export const TOKENS_FILE = 'agent-auth-token.yaml';

/** Tokens that the cluster does not know yet go beside the image; nobody but an administrator gives them to the cluster. */
export function tokenOutputs({ credentials }: NodesPlan, planned: PlannedCluster): NamedOutput[] {
  if (credentials === undefined || isKept(credentials, planned)) return [];
  const contents = authTokenSecret(credentials.tokens, new Date());
  return [{ name: TOKENS_FILE, source: bytesSource(new TextEncoder().encode(contents)) }];
}

async function readHash(terminal: Terminal, file: string): Promise<string> {
  const hash = (await readSecretText(terminal, file)).trim();
  if (!/^\$\w+\$\S+$/.test(hash))
    throw new Failure(`expected a crypt(5) hash in ${file}`, { help: 'openssl passwd -6 prints one' });
  return hash;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function milliseconds(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (size === undefined) throw new Error('expected minutes, hours or days, such as 90m, 12h or 7d');
  return Number(count) * size;
}

function instant(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Error('expected a time with its zone, such as 2030-01-31T12:00:00Z');
  return date;
}
