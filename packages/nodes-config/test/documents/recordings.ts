// The recorded files of the installer, and coreiso's outcome for each.
import type { Outcome } from '@coreiso/diagnostics';
import type { Mode } from '@coreiso/nodes-config';
import { Goldens } from '../../../../test/support/goldens.ts';
import { caseNames, parseRecorded as parseCase } from '../replay/nodes-config.ts';

export const goldens = new Goldens(new URL('../goldens/nodes-config.json', import.meta.url));
export const names = caseNames(goldens);

export function parseRecorded(name: string, mode: Mode): Outcome<unknown> {
  return parseCase(goldens, name, mode);
}
