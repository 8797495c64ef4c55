// Writes the small disk from which cloud-init takes a machine's configuration.
import { writeIso } from '@coreiso/iso/iso9660';
import { writeCopy } from '@coreiso/iso/node';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const { source } = await writeIso(
  [
    { kind: 'file', path: '/meta-data', content: text('instance-id: demo-1\nlocal-hostname: demo\n') },
    { kind: 'file', path: '/user-data', content: text('#cloud-config\ntimezone: Etc/UTC\n'), mode: 0o600 },
    { kind: 'symlink', path: '/vendor-data', target: 'user-data' },
  ],
  { volumeId: 'cidata' },
);
await writeCopy(source, 'cidata.iso');
