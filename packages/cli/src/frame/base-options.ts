import type { Option } from './usage.ts';

/** What every command takes that builds on a base image. */
export const baseOptions: readonly Option[] = [
  {
    name: 'architecture',
    value: 'ARCH',
    help: 'For which machine to take an image of a stream or a release, by default that of the cluster or x86_64',
  },
  {
    name: 'os-stream',
    value: 'NAME',
    help: 'Which operating system, rhel-9 or rhel-10, by default what new nodes of the cluster get',
  },
  {
    name: 'registry-config',
    value: 'FILE',
    help: 'Pull secret for release: (auth.json, .dockerconfigjson); by default where podman and docker keep theirs',
  },
  { name: 'registries-conf', value: 'FILE', help: 'Mirrors of registries, as podman reads them' },
  {
    name: 'registry-ca',
    value: 'FILE',
    help: 'Further certificates that servers of base images are trusted by, as PEM',
  },
  {
    name: 'insecure-registry',
    value: 'HOST:PORT',
    repeatable: true,
    help: 'A registry that may be asked without encryption',
  },
  { name: 'cache-dir', value: 'DIR', help: 'Where base images are kept, ~/.cache/coreiso by default' },
  { name: 'verify', help: 'Hash base images from the cache at every use, not only after something touched them' },
  { name: 'stream-base-url', value: 'URL', help: "Where NAME.json of a stream is, where that is not Fedora's server" },
];

/** What a base may be, for the help of commands. */
export const BASE_HELP = `A base is a file, an http(s) address, stream:NAME for a stream of Fedora CoreOS (stream:stable) or stream:FILE for stream metadata such as the ConfigMap coreos-bootimages of a cluster, or release:PULLSPEC for the image in a release of OpenShift, which is read from its registry or a mirror. What streams and releases give is verified and kept in the cache.`;
