// The state that is kept between two commands in one directory. The file may contain secrets: only its owner may read it.

import { type Diagnostic, fail, type Outcome, type Path, succeed } from '@coreiso/diagnostics';
import type { Host, InstallSources, MadeManifests, Texts } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { fileNameFault } from '@coreiso/peers/file-name';
import { canonicalMac, hex } from '@coreiso/peers/go';
import { openshiftDiagnostic } from '../codes.ts';

/**
 * The name of the state file in the directory of an installation.
 *
 * @example readAgentState(await readFile(join(directory, AGENT_STATE_FILE), 'utf8'))
 */
export const AGENT_STATE_FILE = '.coreiso-agent-state.json';

/** The state file: the sources of a directory, and the data that later commands need. */
export interface AgentState {
  readonly version: 1;
  /** SHA-256 of the source files, in hexadecimal, by name. */
  readonly inputs: Texts;
  /** SHA-256 of the generated files, by path. */
  readonly outputs: Texts;
  readonly hosts: readonly {
    /** Empty for a host without its own name. */
    readonly name: string;
    /** Empty if the service decides. */
    readonly role: string;
    /** In lower case with colons. */
    readonly macs: readonly string[];
    /** The disk that the host is installed to; absent if not given. */
    readonly rootDeviceHints?: Host['rootDeviceHints'];
  }[];
  /** Absent if it is unknown before an image is made. */
  readonly rendezvousIP?: string;
  /** Texts of removed inputs, for the second step; they contain the pull secret. */
  readonly consumed?: Texts;
  /** Token to query the service while waiting for the installation. Secret. */
  readonly watcherToken?: string;
  /** Token for all calls of the service, such as fetching the logs of hosts. Secret. */
  readonly userToken?: string;
}

const INPUTS = ['install-config.yaml', 'agent-config.yaml'] as const;

/**
 * Makes the state file for manifests that were made from a directory (path to text).
 *
 * @example await agentStateOf(files, made)
 */
export async function agentStateOf(
  files: Texts,
  made: MadeManifests,
  options: {
    /** The earlier state. */
    readonly before?: AgentState | undefined;
    /** Whether the inputs will be removed. */
    readonly inputs?: 'kept' | 'consumed' | undefined;
  } = {},
): Promise<AgentState> {
  checkArgument('files', files, 'object');
  checkArgument('made', made, 'object');
  checkArgument('options', options, 'object');
  if (made.installFiles?.installConfig === undefined)
    throw new TypeError('made must be what makeManifests returns as its value');
  const { before, inputs: fate = 'kept' } = options;
  const { hosts, rendezvousAddress } = made.installFiles.agentConfig;
  const inputs: Record<string, string> = {};
  const consumed: Record<string, string> = {};
  for (const name of INPUTS) {
    const [text, old, digest] = [files[name], before?.consumed?.[name], before?.inputs[name]];
    const isConsumed = text === undefined ? old !== undefined : fate === 'consumed';
    if (text !== undefined) inputs[name] = await sha256(text);
    else if (digest !== undefined && old !== undefined) inputs[name] = digest;
    if (isConsumed) consumed[name] = text ?? old ?? '';
  }
  const outputs: Record<string, string> = {};
  for (const [path, text] of Object.entries(made.files)) {
    // A generated file that was edited keeps its old digest, and so still counts as edited.
    const isKept = files[path] === text && before?.outputs[path] !== undefined;
    outputs[path] = isKept ? (before?.outputs[path] ?? '') : await sha256(text);
  }
  return {
    version: 1,
    inputs,
    outputs,
    hosts: hosts.map(({ hostname, role, interfaces, rootDeviceHints }) => ({
      name: hostname,
      role,
      macs: interfaces.map(({ macAddress }) => canonicalMac(macAddress) ?? macAddress),
      ...(Object.keys(rootDeviceHints).length > 0 && { rootDeviceHints }),
    })),
    ...(rendezvousAddress === undefined ? {} : { rendezvousIP: rendezvousAddress }),
    ...(Object.keys(consumed).length === 0 ? {} : { consumed }),
    ...(before?.watcherToken === undefined ? {} : { watcherToken: before.watcherToken }),
    ...(before?.userToken === undefined ? {} : { userToken: before.userToken }),
  };
}

/**
 * Reads a state file.
 *
 * @example readAgentState(await readFile('.coreiso-agent-state.json', 'utf8'))
 */
export function readAgentState(text: string): Outcome<AgentState> {
  const refuse = (message: string, path: Path = [], cure?: string): Outcome<AgentState> => {
    const help = cure ?? `Remove ${AGENT_STATE_FILE}: manifests beside an install config are then made again.`;
    return fail(
      openshiftDiagnostic({
        code: path.length === 0 ? 'openshift/state' : 'openshift/state-name',
        message,
        path,
        help,
      }),
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('the state file is not JSON');
  }
  if (typeof value !== 'object' || value === null) return refuse('the state file has no state');
  if ('version' in value && typeof value.version === 'number' && value.version > 1) {
    const said = 'needs' in value && typeof value.needs === 'string' ? value.needs : '';
    const needs = /^[\w. -]{1,64}$/.test(said) ? said : 'a newer version of coreiso';
    return refuse(`the state file needs ${needs}`, [], `Use ${needs}, which wrote it.`);
  }
  if (!('version' in value) || value.version !== 1) return refuse('the state file has an unknown version');
  if (!isState(value)) return refuse('the state file is damaged');
  const stray = strayName(value);
  if (stray === undefined) return succeed(value);
  return refuse(`the state file has ${JSON.stringify(stray.name)} in \`${stray.list}\`: ${stray.fault}`, [
    stray.list,
    stray.name,
  ]);
}

interface StrayName {
  readonly list: 'inputs' | 'outputs' | 'consumed';
  readonly name: string;
  readonly fault: string;
}

/** Restricts the file names that are read, compared and removed: the state file's author must not choose arbitrary paths. */
function strayName({ inputs, outputs, consumed = {} }: AgentState): StrayName | undefined {
  for (const [list, texts] of [['consumed', consumed] as const, ['inputs', inputs] as const])
    for (const name of Object.keys(texts))
      if (!INPUTS.some((input) => input === name))
        return { list, name, fault: `only ${INPUTS.join(' and ')} can be there` };
  for (const name of Object.keys(outputs)) {
    const isInside = !name.includes('\\') && name.split('/').every((part) => fileNameFault(part) === undefined);
    if (!isInside) return { list: 'outputs', name, fault: 'it is not a path inside the directory' };
  }
  return undefined;
}

function isState(value: object): value is AgentState {
  const { inputs, outputs, hosts, rendezvousIP, consumed, watcherToken, userToken } = value as Partial<AgentState>;
  return (
    isTexts(inputs) &&
    isTexts(outputs) &&
    Array.isArray(hosts) &&
    hosts.every(isHost) &&
    [rendezvousIP, watcherToken, userToken].every((one) => one === undefined || typeof one === 'string') &&
    (consumed === undefined || isTexts(consumed))
  );
}

function isTexts(value: unknown): value is Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === 'string');
}

function isHost(value: unknown): value is AgentState['hosts'][number] {
  const { name, role, macs, rootDeviceHints = {} } = Object(value) as Partial<AgentState['hosts'][number]>;
  const isNamed = typeof name === 'string' && typeof role === 'string';
  const areHints = Object(rootDeviceHints) === rootDeviceHints && Object.entries(rootDeviceHints).every(isHint);
  return isNamed && areHints && Array.isArray(macs) && macs.every((mac) => typeof mac === 'string');
}

const HINT_TYPES: Readonly<Record<string, string>> = { minSizeGigabytes: 'number', rotational: 'boolean' };

function isHint([name, value]: [string, unknown]): boolean {
  return typeof value === (HINT_TYPES[name] ?? 'string');
}

/**
 * The sources of the manifests of a directory (path to text): inputs that are unchanged, or that were consumed.
 *
 * @example const { previous } = await rememberedSources(files, state)
 */
export async function rememberedSources(
  files: Texts,
  state: AgentState | undefined,
): Promise<{
  /** For `previous` of `readDirectory` and `makeManifests`. */
  readonly previous: InstallSources | undefined;
  /** Inputs that are gone although no command consumed them. */
  readonly diagnostics: readonly Diagnostic[];
}> {
  checkArgument('files', files, 'object');
  if (state === undefined) return { previous: undefined, diagnostics: [] };
  checkArgument('state', state, 'object');
  checkArgument('state.inputs', state.inputs, 'object');
  const sources: Record<string, string> = {};
  const diagnostics: Diagnostic[] = [];
  for (const name of INPUTS) {
    const text = files[name];
    const digest = state.inputs[name];
    const isSame = text !== undefined && (await sha256(text)) === digest;
    const source = isSame ? text : state.consumed?.[name];
    if (source !== undefined) sources[name] = source;
    else if (text === undefined && digest !== undefined) {
      const message = `${name}, from which the manifests were made, is missing: settings that manifests cannot hold are lost`;
      const help = `Put ${name} back, or remove ${AGENT_STATE_FILE} to use only the manifests.`;
      diagnostics.push(openshiftDiagnostic({ severity: 'warning', code: 'openshift/lost-input', message, help }));
    }
  }
  const { 'install-config.yaml': installConfig, 'agent-config.yaml': agentConfig } = sources;
  // Without a remembered install config, an existing one is new: it is compared with an empty text.
  const isNew = installConfig === undefined && files['install-config.yaml'] !== undefined;
  const previous =
    installConfig === undefined && !isNew ? undefined : { installConfig: installConfig ?? '', agentConfig };
  return { previous, diagnostics };
}

/**
 * Lists files that would be replaced although they were edited.
 *
 * @example const edited = await editedFiles(files, made.replaced, state)
 */
export async function editedFiles(
  files: Texts,
  replaced: readonly string[],
  state: AgentState | undefined,
): Promise<string[]> {
  checkArgument('files', files, 'object');
  checkArgument('replaced', replaced, 'array');
  const edited: string[] = [];
  for (const path of replaced) {
    const text = files[path];
    if (text !== undefined && (await sha256(text)) !== state?.outputs[path]) edited.push(path);
  }
  return edited;
}

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return hex(digest);
}
