const COREISO = '0.1.0';

/** The programs that coreiso was compared with, and the version or revision that its recordings are of. */
export const COMPARED: Readonly<Record<string, string>> = {
  'coreos-installer': '0.27.0',
  nmstatectl: '2.2.62',
  'ignition-validate': '2.27.0',
  'openshift-install': 'revision 1966debed4',
  'assisted-service': 'revision 063b257950',
  'assisted-installer-agent': 'revision a272a11d4f',
};

/** The stand-in prints what scripts that ask the real one for its version expect. */
const STAND_IN = 'coreos-installer';

/** Whether the program goes by the name of the tool that it stands in for. */
export function isStandIn(invokedAs: string): boolean {
  return invokedAs === STAND_IN;
}

/** The output of `--version`; `--verbose` adds the programs that coreiso was compared with. */
export function versionText(invokedAs: string, extent: 'brief' | 'verbose'): string {
  const line = isStandIn(invokedAs)
    ? `${STAND_IN} ${COMPARED[STAND_IN]} (coreiso ${COREISO})\n`
    : `${invokedAs} ${COREISO}\n`;
  if (extent === 'brief') return line;
  const rows = Object.entries(COMPARED).map(([name, version]) => `  ${name.padEnd(26)}${version}\n`);
  return `${line}compared with\n${rows.join('')}`;
}
