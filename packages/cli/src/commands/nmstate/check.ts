import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeText } from '@coreiso/diagnostics';
import { generateKeyfiles } from '@coreiso/nmstate';
import { localNameFault } from '@coreiso/peers/file-name';
import type { Action } from '../../frame/command.ts';
import { inContext } from '../../frame/failure.ts';
import { findingsData } from '../../frame/fix/findings-data.ts';
import { fixFiles } from '../../frame/fix/fix-files.ts';
import { inputName, readNamed } from '../../frame/input.ts';
import { findingData, showFindings } from '../../frame/show-findings.ts';

/** `coreiso nmstate check`: reports all findings in strict mode; writes keyfiles only if there is no error. */
export const check: Action = async (args, terminal) => {
  const file = args.required('STATE_FILE');
  const given = { name: file, bytes: await readNamed(terminal, file), kind: 'network-state' } as const;
  const [{ bytes } = given] = await fixFiles([given], args, terminal);
  const decoded = decodeText(bytes);
  const text = decoded.ok ? decoded.value.text : '';
  const outcome = decoded.ok ? generateKeyfiles(text, { mode: 'strict' }) : decoded;
  const keyfiles = outcome.ok && 'value' in outcome && Array.isArray(outcome.value) ? outcome.value : [];
  if (args.has('json')) {
    const diagnostics = await findingsData(outcome.diagnostics, { kind: 'network-state', text }, findingData);
    await terminal.printJson({ diagnostics, keyfiles });
  } else showFindings(terminal, outcome.diagnostics, text, file);
  const out = args.optional('output');
  if (outcome.ok && out === undefined && !args.has('json')) {
    const count = keyfiles.length === 1 ? '1 keyfile' : `${keyfiles.length} keyfiles`;
    await terminal.showLines([`${inputName(file)}: a valid network state, ${count}`]);
  }
  if (out !== undefined && outcome.ok) {
    const { platform } = process;
    const stray = keyfiles.find(({ name }) => basename(name) !== name || localNameFault(name, platform) !== undefined);
    if (stray !== undefined) throw new Error(`${JSON.stringify(stray.name)} is not a file name: nothing was written`);
    await inContext(`cannot create ${out}`, () => mkdir(terminal.path(out), { recursive: true }));
    for (const { name, content } of keyfiles) {
      const path = join(out, name);
      await inContext(`cannot write ${path}`, () =>
        writeFile(terminal.path(path), content, { mode: 0o600, flag: 'wx' }),
      );
      if (!args.has('json')) await terminal.print(`${path}\n`);
    }
  }
  return outcome.ok ? 0 : 1;
};
