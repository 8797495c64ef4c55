// Values of fields that upstream ignores, as Go's `%v` prints them. Pointers print as addresses, which cannot be
// reproduced.
import { isObject, listOf, memberOf } from '@coreiso/peers/members';

type Shape = 'text' | 'integer' | 'pointer' | 'quantity' | readonly [Shape] | { readonly [field: string]: Shape };

const STORAGE: Shape = { referenceName: 'text', uuid: 'text', name: 'text' };

/** The fields of Go's struct, in its order. */
const NUTANIX_POOL = {
  cpus: 'integer',
  coresPerSocket: 'integer',
  memoryMiB: 'integer',
  osDisk: { diskSizeGiB: 'integer' },
  bootType: 'text',
  project: 'pointer',
  categories: [{ key: 'text', value: 'text' }],
  gpus: [{ type: 'text', deviceID: 'pointer', name: 'pointer' }],
  dataDisks: [{ diskSize: 'quantity', deviceProperties: 'pointer', storageConfig: 'pointer', dataSource: 'pointer' }],
  failureDomains: ['text'],
} as const satisfies Shape;

const NUTANIX_DOMAIN: Shape = {
  name: 'text',
  prismElement: { uuid: 'text', endpoint: { address: 'text', port: 'integer' }, name: 'text' },
  subnetUUIDs: ['text'],
  storageContainers: [STORAGE],
  dataSourceImages: [STORAGE],
};

/** A machine pool on Nutanix; undefined if it is empty. In Go, an empty list is not empty. */
export function writtenPool(pool: unknown): string | undefined {
  if (!isObject(pool)) return undefined;
  const text = goText(pool, NUTANIX_POOL);
  const isSilent = text === goText({}, NUTANIX_POOL) && !Object.values(pool).some(Array.isArray);
  return isSilent ? undefined : text;
}

/** Failure domains on Nutanix; undefined if there is no list. */
export function writtenDomains(domains: unknown): string | undefined {
  return Array.isArray(domains) ? goText(domains, [NUTANIX_DOMAIN]) : undefined;
}

function goText(value: unknown, shape: Shape): string {
  if (shape === 'text') return String(value ?? '');
  if (shape === 'integer') return String(value ?? 0);
  if (shape === 'pointer') return value === undefined || value === null ? '<nil>' : '<pointer>';
  if (shape === 'quantity') return `<${value ?? 0}>`;
  if (isList(shape))
    return `[${listOf(value)
      .map((item) => goText(item, shape[0]))
      .join(' ')}]`;
  return `{${Object.entries(shape)
    .map(([name, field]) => goText(memberOf(value, name), field))
    .join(' ')}}`;
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
