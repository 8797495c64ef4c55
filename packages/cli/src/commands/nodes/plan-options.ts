import { bytesSource } from '@coreiso/iso';
import { authTokenSecret, reusableTokens, type ServiceCredentials } from '@coreiso/nodes-config';
import { type NamedOutput, type NodesPlan, type NodesPlanOptions, newStatusToken } from '@coreiso/openshift';
import type { Arguments } from '../../frame/arguments.ts';
import { Failure, inContext } from '../../frame/failure.ts';
import { readSecretText } from '../../frame/secret-file.ts';
import type { Terminal } from '../../frame/terminal.ts';
import type { KeptTokens, PlannedCluster } from './cluster.ts';
import { hostFile, instant, joinTakes, milliseconds } from './plan-arguments.ts';

/** Returns the token of the status port: from a file, or a new one if the report keeps it. */
export async function readStatusToken(
  args: Arguments,
  terminal: Terminal,
  unnamed: 'new' | 'none',
): Promise<string | undefined> {
  const file = args.optional('status-token-file');
  if (file !== undefined) return (await readSecretText(terminal, file)).trim();
  return unnamed === 'none' || args.has('no-status') ? undefined : newStatusToken();
}

/** Warns that served images lack the status port that images in files have. */
export function warnWithoutStatusPort(
  args: Arguments,
  terminal: Terminal,
  { join: how, statusToken }: NodesPlan,
): void {
  if (!joinTakes(how, 'statusToken') || statusToken !== undefined || args.has('no-status')) return;
  terminal.say('The images have no status port; open one with --status-token-file FILE');
}

/** Returns the options of `planNodes` from the command line. */
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

/** Reads configs by host name; several configs for one host are merged in order. */
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

function askedExpiry(args: Arguments): Date | undefined {
  const [validFor, validUntil] = [args.optional('valid-for'), args.optional('valid-until')];
  if (validUntil !== undefined) return instant(validUntil);
  return validFor === undefined ? undefined : new Date(Date.now() + milliseconds(validFor));
}

/** Makes new credentials; keeps the tokens that the cluster already knows if they are still valid and expire when requested. */
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

/**
 * Returns tokens that the cluster does not know yet, to write beside the image; an administrator has to give them to the
 * cluster.
 */
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
