import type { Option } from './usage.ts';

/** Options of every command that builds on a base image. */
export const baseOptions: readonly Option[] = [
  {
    name: 'architecture',
    value: 'ARCH',
    help: 'Architecture of the base (default: of the cluster, else x86_64)',
  },
  {
    name: 'os-stream',
    value: 'NAME',
    rare: true,
    help: 'Operating system: rhel-9 or rhel-10 (default: that of new nodes of the cluster)',
  },
  {
    name: 'registry-config',
    value: 'FILE',
    help: 'Pull secret for release:',
  },
  { name: 'registries-conf', value: 'FILE', rare: true, help: 'Mirrors of registries, as registries.conf of podman' },
  {
    name: 'registry-ca',
    value: 'FILE',
    rare: true,
    help: 'PEM certificates to trust for base images, besides those of the system',
  },
  {
    name: 'insecure-registry',
    value: 'HOST:PORT',
    repeatable: true,
    rare: true,
    help: 'Registry to use without TLS',
  },
  {
    name: 'insecure',
    rare: true,
    help: 'Use every registry without TLS if it has none; what comes from it is verified by digest',
  },
  { name: 'cache-dir', value: 'DIR', rare: true, help: 'Cache of base images (default: ~/.cache/coreiso)' },
  { name: 'verify', rare: true, help: 'Hash a cached base image at every use, not only after a change' },
  {
    name: 'stream-base-url',
    value: 'URL',
    rare: true,
    help: 'Where the stream metadata NAME.json is (default: the server of Fedora)',
  },
];

/** Help about the possible bases. */
export const BASE_HELP = `A base is a file, an http(s) address, stream:NAME for a stream of Fedora CoreOS (stream:stable) or stream:FILE for stream metadata such as the ConfigMap coreos-bootimages of a cluster, or release:PULLSPEC for the image in a release of OpenShift, which is read from its registry or a mirror. Images of streams and releases are verified and cached.`;
