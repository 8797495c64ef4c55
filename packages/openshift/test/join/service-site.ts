// A site whose machines run the service, and the config parts for it.
import { type Config, decodeDataUrl } from '@coreiso/ignition';

import type { ServiceSettings } from '../../src/join/service/service-settings.ts';
import { SAMPLE_CREDENTIALS } from './sample-credentials.ts';

export const SITE: ServiceSettings = {
  workflow: 'install',
  rendezvousAddress: '192.0.2.51',
  architecture: 'x86_64',
  releaseImage: 'quay.example.test/ocp/release@sha256:55',
  version: '4.20.3',
  title: 'reef.example.test',
  required: { controlPlane: 3, arbiter: 0, worker: 0 },
  imageType: 'full-iso',
  mirrors: [{ source: 'quay.example.test/ocp/release', mirrors: ['mirror.example.test:5000/o%p/$release'] }],
  hasTrustBundle: true,
  hasStaticNetwork: true,
  sshKey: '',
  files: [],
  credentials: SAMPLE_CREDENTIALS,
};

export function fileText(config: Config, path: string): string | undefined {
  const bytes = decodeDataUrl(config.storage?.files?.find((file) => file.path === path)?.contents?.source ?? '');
  return bytes && new TextDecoder().decode(bytes);
}
