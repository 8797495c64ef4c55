const COREISO = '0.1.0';

/** The programs that coreiso was compared with, at the recorded version or revision. */
export const COMPARED: Readonly<Record<string, string>> = {
  'coreos-installer': '0.27.0',
  nmstatectl: '2.2.62',
  'ignition-validate': '2.27.0',
  'openshift-install': 'revision 1966debed4',
  'assisted-service': 'revision 063b257950',
  'assisted-installer-agent': 'revision a272a11d4f',
};

/** Under this name the program prints the version that scripts expect of the real tool. */
const STAND_IN = 'coreos-installer';

/** Whether the program was started under the name of the tool that it stands in for. */
export function isStandIn(invokedAs: string): boolean {
  return invokedAs === STAND_IN;
}

/** Returns the output of `--version`; `--verbose` adds the programs that coreiso was compared with. */
export function versionText(invokedAs: string, extent: 'brief' | 'verbose'): string {
  const line = isStandIn(invokedAs)
    ? `${STAND_IN} ${COMPARED[STAND_IN]} (coreiso ${COREISO})\n`
    : `${invokedAs} ${COREISO}\n`;
  if (extent === 'brief') return line;
  const rows = Object.entries(COMPARED).map(([name, version]) => `  ${name.padEnd(26)}${version}\n`);
  return `${line}compared with\n${rows.join('')}`;
}
