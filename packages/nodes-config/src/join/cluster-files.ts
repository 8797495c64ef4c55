// What a node of this cluster has whichever way it joins: proxy, mirrors, certificates and clock, as upstream puts them into its image.
import { type File, file } from '@coreiso/ignition';
import type { ClusterProxy, ImageMirror } from '../cluster/facts.ts';
import { withoutRepeats } from '../cluster/trust-bundle.ts';
import type { JoinFacts } from '../hosts/joining.ts';
import { oneLine, rootFile } from './live-files.ts';
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

/** A drop-in for systemd. Empty without a proxy. */
function proxyEnvironment({ httpProxy = '', httpsProxy = '', noProxy = '' }: ClusterProxy): string {
  const exceptions = new Set(noProxy.split(',').map((entry) => entry.trim()));
  exceptions.delete('');
  const values = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: [...exceptions].join(',') };
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const lines = given.map(([name, value]) => `DefaultEnvironment=${name}=${systemdString(oneLine(value, 'proxy'))}\n`);
  return lines.length === 0 ? '' : `[Manager]\n${lines.join('')}`;
}

/** In quotes, where backslashes escape and `%` begins a specifier (systemd.syntax, systemd-system.conf). */
function systemdString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
