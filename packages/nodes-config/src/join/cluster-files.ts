// What a node of this cluster has whichever way it joins: proxy, mirrors, certificates and clock, as upstream puts them into its image.
import { type File, file } from '@coreiso/ignition';
import type { ClusterProxy, ImageMirror } from '../cluster/facts.ts';
import { withoutRepeats } from '../cluster/trust-bundle.ts';
import type { JoinFacts } from '../hosts/joining.ts';
import { rootFile } from './live-files.ts';
import { registriesConf } from './registries.ts';

export function clusterFiles(cluster: JoinFacts): File[] {
  const { proxy = {}, trustBundle = '', chronyConf } = cluster;
  const environment = proxyEnvironment(proxy);
  const mirrors = mirrorsOf(cluster);
  const files: File[] = [];
  if (environment !== '') files.push(rootFile('/etc/systemd/system.conf.d/10-default-env.conf', environment, 0o600));
  if (mirrors.length > 0) files.push(rootFile('/etc/containers/registries.conf', registriesConf(mirrors), 0o644));
  if (trustBundle !== '') {
    files.push(rootFile('/etc/pki/ca-trust/source/anchors/domain.crt', withoutRepeats(trustBundle), 0o600));
  }
  if (chronyConf !== undefined) files.push(file('/etc/chrony.conf', chronyConf, { mode: 0o644, overwrite: true }));
  return files;
}

/** Upstream refuses a cluster that has both kinds. */
export function mirrorsOf({
  imageDigestMirrors = [],
  repositoryDigestMirrors = [],
}: JoinFacts): readonly ImageMirror[] {
  return [...imageDigestMirrors, ...repositoryDigestMirrors];
}

/** A drop-in for systemd, in which `%` begins a specifier; the list of exceptions goes as it is. Empty without a proxy. */
function proxyEnvironment({ httpProxy = '', httpsProxy = '', noProxy = '' }: ClusterProxy): string {
  const exceptions = new Set(noProxy.split(',').map((entry) => entry.trim()));
  exceptions.delete('');
  const values = {
    HTTP_PROXY: httpProxy.replaceAll('%', '%%'),
    HTTPS_PROXY: httpsProxy.replaceAll('%', '%%'),
    NO_PROXY: [...exceptions].join(','),
  };
  const lines = Object.entries(values).map(([name, value]) => `DefaultEnvironment=${name}="${value}"\n`);
  const given = lines.filter((_, position) => Object.values(values)[position] !== '');
  return given.length === 0 ? '' : `[Manager]\n${given.join('')}`;
}
