import type { Command } from '../../frame/command.ts';
import type { Option, Positional } from '../../frame/usage.ts';

const place: Positional = { name: 'S3URL', required: true, help: 'Where the images are: s3://BUCKET/PREFIX/' };
const json: Option = { name: 'json', help: 'Print the result as JSON' };

const STORE_HELP =
  'Endpoint, region and credentials are read as the AWS tools read them: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws.';

/** Commands on images that coreiso nodes image --per-host -o s3://… stored. */
export const fleetCommands: readonly Command[] = [
  {
    kind: 'command',
    name: 'status',
    summary: 'Tell what is under a prefix: images, bases, unfinished uploads',
    about: `An image is what coreiso nodes image --per-host -o s3://… stored there, a base what images are copied from; objects and uploads of others are counted and left alone.\n\n${STORE_HELP}`,
    positionals: [place],
    options: [json],
    examples: ['coreiso fleet status s3://images/site-a/'],
    load: async () => (await import('./contents.ts')).status,
  },
  {
    kind: 'command',
    name: 'prune',
    summary: 'Remove unfinished uploads, and bases that no image was made of',
    about: `No run that writes there may be under way: its uploads would be taken for unfinished ones. Objects and uploads of others stay.\n\n${STORE_HELP}`,
    positionals: [place],
    options: [
      { name: 'all', help: 'Remove the images as well' },
      { name: 'dry-run', short: 'n', help: 'Only tell what would be removed' },
      json,
    ],
    examples: ['coreiso fleet prune --dry-run s3://images/site-a/', 'coreiso fleet prune --all s3://images/site-a/'],
    load: async () => (await import('./contents.ts')).prune,
  },
];
