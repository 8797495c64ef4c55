/** The installer settings that customise makes itself, written as coreos-installer writes them: strings, lists of strings and `true`. */
import { serdeYamlString } from '@coreiso/diagnostics';

/** The settings in the order in which they are written. */
export interface InstallerSettings {
  ignitionFile?: string;
  console?: string[];
  appendKarg?: string[];
  deleteKarg?: string[];
  copyNetwork?: true;
  destDevice?: string;
}

export function installerYaml(settings: InstallerSettings): string {
  const lines = [
    entry('ignition-file', settings.ignitionFile),
    list('console', settings.console),
    list('append-karg', settings.appendKarg),
    list('delete-karg', settings.deleteKarg),
    settings.copyNetwork === undefined ? '' : 'copy-network: true\n',
    entry('dest-device', settings.destDevice),
  ];
  return lines.join('') || '{}\n';
}

function entry(key: string, value: string | undefined): string {
  return value === undefined ? '' : `${key}: ${serdeYamlString(value)}\n`;
}

function list(key: string, values: readonly string[] = []): string {
  return values.length === 0 ? '' : `${key}:\n${values.map((value) => `- ${serdeYamlString(value)}\n`).join('')}`;
}
