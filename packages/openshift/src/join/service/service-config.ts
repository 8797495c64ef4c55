// The live system of a machine that runs the installation service, or that the service on another machine installs.

import { buildConfig, type Config, directory, type File, type Unit } from '@coreiso/ignition';
import { releaseImageMirror } from '@coreiso/nodes-config';
import { checkArgument } from '@coreiso/peers/arguments';
import { compareBytes, encodeBase64 } from '@coreiso/peers/go';
import type { LiveFile } from '../live-files.ts';
import { DATABASE_ENV, imagesEnv, releaseEnv, rendezvousHostEnv, serviceEnv, startClusterEnv } from './environment.ts';
import { fixedFiles, NETWORK_SCRIPT } from './fixed-files.ts';
import { SERVICE_SCRIPTS } from './generated/scripts.ts';
import type { CommonSettings, ServiceSettings } from './service-settings.ts';
import { serviceUnits } from './units/all.ts';

/** Upstream's version, even where a lower one would do. */
export const SPEC_VERSION = '3.2.0';
const OWN_BUNDLE = '/etc/pki/ca-trust/source/anchors/domain.crt';
export const MACHINE_BUNDLE = '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem';
const SHARE = '/usr/local/share';
const PRIVATE = 0o600;

/**
 * The Ignition config of such a live system: every path, mode and unit as the installer has it, in the order of their names. Equal
 * settings and credentials give equal configs.
 *
 * @example serviceConfig({ ...settings, credentials }).storage?.files?.length
 */
export function serviceConfig(settings: ServiceSettings): Config {
  checkArgument('settings', settings, 'object');
  checkArgument('settings.credentials', settings.credentials, 'object');
  const { workflow, credentials, sshKey } = settings;
  const folders = ['/etc/assisted/extra-manifests'];
  if (workflow === 'addnodes') folders.unshift('/etc/assisted/clusterconfig');
  return buildConfig({
    version: SPEC_VERSION,
    users: [{ name: 'core', passwordHash: credentials.passwordHash, sshAuthorizedKeys: [sshKey] }],
    directories: folders.map((path) => directory(path, { mode: 0o644, overwrite: true, user: 'root' })),
    files: allFiles(settings)
      .map(toFile)
      .sort((a, b) => compareBytes(a.path, b.path)),
    units: unitsOf(settings).sort((a, b) => compareBytes(a.name, b.name)),
  });
}

function unitsOf({
  workflow,
  releaseImage,
  mirrors,
  hasTrustBundle,
  hasStaticNetwork,
  imageType,
}: ServiceSettings): Unit[] {
  const hasMirrors = mirrors.length > 0;
  return serviceUnits(workflow, {
    releaseImageMirror: releaseImageMirror(releaseImage, mirrors),
    caBundle: hasMirrors && hasTrustBundle ? OWN_BUNDLE : MACHINE_BUNDLE,
    hasMirrors,
    imageType,
    hasStaticNetwork,
  });
}

function allFiles(settings: ServiceSettings): LiveFile[] {
  const { title, hasStaticNetwork, credentials } = settings;
  return [
    ...commonFiles(settings),
    ...(hasStaticNetwork ? [networkScript()] : []),
    hidden(RENDEZVOUS_HOST, rendezvousHostEnv(settings)),
    hidden('/etc/issue', `${title}\n\n`),
    ...Object.entries(credentials.signers).flatMap(([name, { certificate, key }]) => [
      hidden(`/opt/agent/tls/${name}.crt`, certificate),
      hidden(`/opt/agent/tls/${name}.key`, key),
    ]),
    hidden('/opt/agent/tls/kubeadmin-password.hash', credentials.passwordHash),
  ];
}

/** Where machines learn the address of the service; units wait for it. */
export const RENDEZVOUS_HOST = '/etc/assisted/rendezvous-host.env';

export const hidden = (path: string, contents: string): LiveFile => ({ path, mode: PRIVATE, contents });

/** The script that chooses profiles, if there are any or a config image may bring them. */
export function networkScript(): LiveFile {
  return { path: `/usr/local/bin/${NETWORK_SCRIPT}`, mode: 0o755, contents: SERVICE_SCRIPTS[NETWORK_SCRIPT] };
}

/** Parts of every live system with a service, whether it knows its site or not. */
export function commonFiles(settings: CommonSettings): LiveFile[] {
  return [
    ...fixedFiles(),
    ...settings.files,
    hidden('/etc/assisted/agent-installer.env', releaseEnv(settings)),
    hidden(`${SHARE}/assisted-service/assisted-db.env`, DATABASE_ENV),
    hidden(`${SHARE}/assisted-service/assisted-service.env`, serviceEnv(settings)),
    hidden(`${SHARE}/assisted-service/images.env`, imagesEnv(settings)),
    hidden(`${SHARE}/start-cluster/start-cluster.env`, startClusterEnv(settings)),
  ];
}

/** Upstream detects the type of each file; every file here is text. */
export function toFile({ path, mode, contents, owner = 'root', existing = 'replace' }: LiveFile): File {
  const source = `data:text/plain;charset=utf-8;base64,${encodeBase64(contents)}`;
  const owned = { path, mode, ...(owner === 'root' ? { user: { name: owner } } : {}) };
  return existing === 'append'
    ? { ...owned, append: [{ source }] }
    : { ...owned, overwrite: true, contents: { source } };
}
