// Files that every node of this cluster has, however it joins: proxy, mirrors, certificates and clock, as in upstream's image.
import { type File, file } from '@coreiso/ignition';
import type { ClusterFacts, ImageMirror } from '@coreiso/nodes-config';
import { distinctCertificates, distinctNoProxy, registriesConf } from '@coreiso/nodes-config';
import { type LiveFile, oneLine, rootFile } from './live-files.ts';

export const PROXY_DROP_IN = '/etc/systemd/system.conf.d/10-default-env.conf';
export const REGISTRIES_CONF = '/etc/containers/registries.conf';

export function clusterFiles(cluster: ClusterFacts): File[] {
  return clusterSettings(cluster).map(({ path, mode, contents, owner }) =>
    owner === 'none' ? file(path, contents, { mode, overwrite: true }) : rootFile(path, contents, mode),
  );
}

export function clusterSettings(cluster: ClusterFacts): LiveFile[] {
  const { proxy = {}, trustBundle = '', chronyConf } = cluster;
  const environment = proxyEnvironment(proxy);
  const mirrors = writtenMirrors(cluster);
  const files: LiveFile[] = [];
  if (environment !== '') files.push({ path: PROXY_DROP_IN, mode: 0o600, contents: environment });
  if (mirrors.length > 0) files.push({ path: REGISTRIES_CONF, mode: 0o644, contents: registriesConf(mirrors) });
  if (trustBundle !== '') {
    const contents = distinctCertificates(trustBundle);
    files.push({ path: '/etc/pki/ca-trust/source/anchors/domain.crt', mode: 0o600, contents });
  }
  if (chronyConf !== undefined)
    files.push({ path: '/etc/chrony.conf', mode: 0o644, contents: chronyConf, owner: 'none' });
  return files;
}

/** Upstream refuses a cluster that has both kinds. */
export function mirrorsOf({
  imageDigestMirrors = [],
  repositoryDigestMirrors = [],
}: ClusterFacts): readonly ImageMirror[] {
  return [...imageDigestMirrors, ...repositoryDigestMirrors];
}

/** The same for a file of the node: without policies, as upstream writes it. */
export function writtenMirrors(cluster: ClusterFacts): readonly ImageMirror[] {
  const written = (text: string): string => oneLine(text, 'imageDigestMirrors');
  return mirrorsOf(cluster).map(({ source, mirrors = [] }) => {
    return { source: written(source), mirrors: mirrors.map(written) };
  });
}

/** A drop-in for systemd. Empty without a proxy. */
function proxyEnvironment({
  httpProxy = '',
  httpsProxy = '',
  noProxy = '',
}: NonNullable<ClusterFacts['proxy']>): string {
  const values = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: distinctNoProxy(noProxy) };
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const lines = given.map(([name, value]) => `DefaultEnvironment=${name}=${systemdString(oneLine(value, 'proxy'))}\n`);
  return lines.length === 0 ? '' : `[Manager]\n${lines.join('')}`;
}

/** A quoted value, in which backslashes escape and `%` begins a specifier (systemd.syntax, systemd-system.conf). */
function systemdString(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
