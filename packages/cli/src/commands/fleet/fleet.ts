import type { Command } from '../../frame/command.ts';
import type { Positional } from '../../frame/usage.ts';
import { json } from '../shared-arguments.ts';

const place: Positional = { name: 'S3URL', required: true, help: 'Prefix of the images: s3://BUCKET/PREFIX/' };

const STORE_HELP =
  'Endpoint, region and credentials are read as the AWS tools read them: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws.';

/** Commands on images that `coreiso nodes image --per-host -o s3://…` stored. */
export const fleetCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'status',
    summary: 'List images, bases and unfinished uploads under a prefix',
    about: `Images are those that coreiso nodes image --per-host -o s3://… stored, bases those that they are copied from. Other objects and uploads are counted and left alone.\n\n${STORE_HELP}`,
    positionals: [place],
    options: [json],
    examples: ['coreiso fleet status s3://images/site-a/'],
    load: async () => (await import('./contents.ts')).status,
  },
  {
    kind: 'command',
    name: 'prune',
    summary: 'Remove unfinished uploads, and bases that no image was made of',
    about: `Make sure that no run is writing there: its uploads would count as unfinished. Other objects and uploads stay.\n\n${STORE_HELP}`,
    positionals: [place],
    options: [
      { name: 'all', help: 'Remove the images, too' },
      { name: 'dry-run', short: 'n', help: 'Only print what would be removed' },
      json,
    ],
    examples: ['coreiso fleet prune --dry-run s3://images/site-a/', 'coreiso fleet prune --all s3://images/site-a/'],
    load: async () => (await import('./contents.ts')).prune,
  },
];
