const COREISO = '0.1.0';
/** The program that the drop-in commands stand in for, and the version of it that they were compared with. */
const IMITATED = { name: 'coreos-installer', version: '0.27.0' };

/** What `--version` prints: scripts that ask coreos-installer for its version get the one that is imitated. */
export function versionText(invokedAs: string): string {
  const { name, version } = IMITATED;
  return invokedAs === name ? `${name} ${version} (coreiso ${COREISO})\n` : `${invokedAs} ${COREISO}\n`;
}
