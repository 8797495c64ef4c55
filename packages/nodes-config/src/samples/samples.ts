import type { ClusterFacts } from '../facts/facts.ts';
import { FACTS } from './facts.ts';
import { HUB_SITE } from './hub-site.ts';
import { AGENT_CONFIG, INSTALL_CONFIG } from './new-cluster.ts';
import { NODES_CONFIG } from './nodes-config.ts';

/**
 * Documents to start from, with comments, and the facts of an imaginary cluster; each is valid as it is.
 *
 * @example await writeFile('nodes-config.yaml', samples.nodesConfig)
 */
export const samples: {
  /** Hosts to add to the cluster of `facts`. */
  readonly nodesConfig: string;
  /** A new cluster; its machines are in `agentConfig`. */
  readonly installConfig: string;
  readonly agentConfig: string;
  /** A site that a hub installs. */
  readonly site: string;
  readonly facts: ClusterFacts;
} = {
  nodesConfig: NODES_CONFIG,
  installConfig: INSTALL_CONFIG,
  agentConfig: AGENT_CONFIG,
  site: HUB_SITE,
  facts: FACTS,
};
