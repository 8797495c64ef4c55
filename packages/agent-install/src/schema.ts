// JSON Schemas for editors, from the tables by which the files are read and written. They say nothing about rules that look at more than
// one value.
import { type JsonSchema, tableSchema } from '@coreiso/nodes-config/schema';
import { AGENT_CLUSTER_INSTALL, CLUSTER_DEPLOYMENT, CLUSTER_IMAGE_SET, SECRET } from './given-manifests/tables.ts';
import { INSTALL_CONFIG } from './install-config/table.ts';
import { ZTP_SITE } from './ztp/table.ts';

const ROOTS = {
  'install-config': INSTALL_CONFIG,
  'agent-cluster-install': AGENT_CLUSTER_INSTALL,
  'cluster-deployment': CLUSTER_DEPLOYMENT,
  'cluster-image-set': CLUSTER_IMAGE_SET,
  'pull-secret': SECRET,
  'ztp-site': ZTP_SITE,
} as const;

/** Files of a new cluster that have a schema here; those with hosts have theirs in `@coreiso/nodes-config/schema`. */
export type ClusterFile = keyof typeof ROOTS;

/**
 * The JSON Schema (draft 7) of one kind of file.
 *
 * @example await writeFile('install-config.schema.json', JSON.stringify(schemaFor('install-config')))
 */
export function schemaFor(file: ClusterFile): JsonSchema {
  if (!Object.hasOwn(ROOTS, file))
    throw new RangeError(`file must be one of ${Object.keys(ROOTS).join(', ')}, not ${String(file)}`);
  return tableSchema(file, ROOTS[file]);
}
