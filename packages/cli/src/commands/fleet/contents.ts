import type { StoredObject } from '@coreiso/openshift/s3';
import type { Action } from '../../frame/command.ts';
import { sizeText } from '../../frame/size.ts';
import { openStore, parseFolder } from '../../frame/store.ts';

const NOUNS = {
  image: ['image', 'images'],
  base: ['base', 'bases'],
  upload: ['unfinished upload', 'unfinished uploads'],
  other: ['object or upload of others', 'objects or uploads of others'],
} as const;

/** `coreiso fleet status`. */
export const status: Action = async (args, terminal) => {
  const place = parseFolder(args.required('S3URL'));
  const { client, s3 } = await openStore(terminal);
  const { signal } = terminal.io;
  const objects = await collect(s3.listFleet(client, { ...place, signal }));
  if (args.has('json')) await terminal.printJson({ objects });
  else {
    const unfinished = objects.some(({ kind }) => kind === 'upload');
    const next = unfinished ? [`Remove unfinished uploads: coreiso fleet prune ${args.required('S3URL')}`] : [];
    await terminal.showLines([...counts(objects), ...next]);
  }
  return 0;
};

/** `coreiso fleet prune`. */
export const prune: Action = async (args, terminal) => {
  const place = parseFolder(args.required('S3URL'));
  const { client, s3 } = await openStore(terminal);
  const { signal } = terminal.io;
  const pretend = args.has('dry-run');
  const remove = args.has('all') ? 'all' : 'leftovers';
  const removed = await collect(s3.pruneFleet(client, { ...place, remove, pretend, signal }));
  if (args.has('json')) await terminal.printJson({ removed, pretended: pretend });
  else {
    const verb = pretend ? 'would remove' : 'removed';
    const lines = removed.map(({ kind, location }) => `${verb} ${NOUNS[kind][0]} ${location}`);
    await terminal.showLines(lines.length === 0 ? ['Nothing to remove.'] : lines);
  }
  return 0;
};

async function collect(objects: AsyncIterable<StoredObject>): Promise<StoredObject[]> {
  const all: StoredObject[] = [];
  for await (const object of objects) all.push(object);
  return all;
}

function counts(objects: readonly StoredObject[]): string[] {
  const kinds = ['image', 'base', 'upload', 'other'] as const;
  return kinds.map((kind) => {
    const some = objects.filter((object) => object.kind === kind);
    const size = some.reduce((sum, object) => sum + object.size, 0);
    const room = size === 0 ? '' : `, ${sizeText(size)}`;
    return `${some.length} ${NOUNS[kind][some.length === 1 ? 0 : 1]}${room}`;
  });
}
