import type { Texts } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { type Credentials, requireCredentials } from '../credentials/credentials.ts';
import { type AgentSite, requireSite } from './agent-site.ts';
import { type AgentState, agentStateOf } from './agent-state.ts';

/**
 * The state file for a directory (path to text) after making an image; commands that wait for the installation read it.
 *
 * @example await imageState(files, site, credentials)
 */
export async function imageState(
  files: Texts,
  agentSite: AgentSite,
  credentials: Credentials,
  options: { readonly before?: AgentState | undefined; readonly inputs?: 'kept' | 'consumed' | undefined } = {},
): Promise<AgentState> {
  checkArgument('files', files, 'object');
  requireSite(agentSite);
  requireCredentials(credentials);
  const { installFiles, rendezvousAddress } = agentSite.directory;
  const { before } = options;
  const known: AgentState =
    installFiles === undefined
      ? (before ?? { version: 1, inputs: {}, outputs: {}, hosts: [] })
      : await agentStateOf(files, { installFiles, files: {}, replaced: [] }, options);
  return {
    ...known,
    // Manifests that were made earlier are unchanged.
    outputs: before?.outputs ?? known.outputs,
    rendezvousIP: rendezvousAddress,
    watcherToken: credentials.tokens.watcher,
    userToken: credentials.tokens.user,
  };
}
