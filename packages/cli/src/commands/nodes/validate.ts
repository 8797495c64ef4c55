import { type Diagnostic, decodeText } from '@coreiso/diagnostics';
import {
  type DocumentKind,
  detectKind,
  type Host,
  hostData,
  type Mode,
  parseAgentConfig,
  parseInfraEnv,
  parseNMStateConfig,
  parseNodesConfig,
  splitMessages,
} from '@coreiso/nodes-config';
import type { Arguments } from '../../frame/arguments.ts';
import type { Action } from '../../frame/command.ts';
import { findingsData } from '../../frame/fix/findings-data.ts';
import { fixFiles } from '../../frame/fix/fix-files.ts';
import { inputName, readNamed } from '../../frame/input.ts';
import type { Terminal } from '../../frame/terminal.ts';
import { readText } from '../../frame/text.ts';
import { readCluster } from './cluster.ts';
import { type ConfigFile, configFindingData, hasErrors, readConfigFile, showConfigFindings } from './config-file.ts';

/** The findings, and the hosts if they could be read. */
interface Verdict {
  readonly diagnostics: readonly Diagnostic[];
  readonly hosts: readonly Host[];
}

/** `coreiso nodes validate`. */
export const validate: Action = async (args, terminal) => {
  const read = await readConfigFile(args, terminal);
  const kind = (args.optional('kind') as DocumentKind | undefined) ?? detectKind(read.bytes);
  const path = args.optional('install-config');
  const installConfig = path === undefined ? undefined : await readNamed(terminal, path);
  const companion = args.has('fix') && path !== undefined ? await readText(terminal, path) : undefined;
  const [file = read] = await fixFiles([{ ...read, kind, installConfig: companion }], args, terminal);
  const judge = await judgeOf(kind, file, installConfig, args, terminal);
  const { diagnostics, hosts } = judge(args.has('compatible') ? 'compatible' : 'strict');
  if (args.has('json')) {
    const { upstream, extra } = splitMessages(diagnostics);
    // Upstream accepts hosts that only rules of coreiso refuse.
    const understood = hosts.length > 0 || upstream.length > 0 ? hosts : judge('compatible').hosts;
    const source = { kind, text: textOf(file.bytes) ?? '', installConfig: installConfig && textOf(installConfig) };
    const findings = await findingsData(diagnostics, source, configFindingData);
    await terminal.printJson({
      upstream,
      extra,
      diagnostics: findings,
      hosts: understood.map((host) => hostData(host)),
    });
  } else {
    showConfigFindings(terminal, file, diagnostics);
    if (!hasErrors(diagnostics)) await terminal.showLines([`${inputName(file.name)}: ${validSummary(kind, hosts)}`]);
  }
  return hasErrors(diagnostics) ? 1 : 0;
};

function textOf(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes);
  return decoded.ok ? decoded.value.text : undefined;
}

async function judgeOf(
  kind: DocumentKind,
  { bytes }: ConfigFile,
  installConfig: Uint8Array | undefined,
  args: Arguments,
  terminal: Terminal,
): Promise<(mode: Mode) => Verdict> {
  const cluster = await readCluster(args, terminal);
  return (mode) => {
    switch (kind) {
      case 'nodes-config':
        return verdict(parseNodesConfig(bytes, { mode, cluster }));
      case 'agent-config':
        return verdict(parseAgentConfig(bytes, { mode, installConfig }));
      case 'nmstateconfig':
        return { ...parseNMStateConfig(bytes, { mode }), hosts: [] };
      case 'infraenv':
        return { ...parseInfraEnv(bytes, { mode }), hosts: [] };
    }
  };
}

function verdict(outcome: ReturnType<typeof parseNodesConfig> | ReturnType<typeof parseAgentConfig>): Verdict {
  return { diagnostics: outcome.diagnostics, hosts: outcome.ok ? outcome.value.hosts : [] };
}

function validSummary(kind: DocumentKind, hosts: readonly Host[]): string {
  if (kind === 'nmstateconfig' || kind === 'infraenv') return `a valid ${kind}`;
  return `a valid ${kind} with ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}`;
}
