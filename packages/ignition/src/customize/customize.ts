import { diagnostic, type Outcome } from '@coreiso/diagnostics';
import { checkArgument, checkMethods, checkWord } from '@coreiso/peers/arguments';
import { IgnitionError } from '../errors.ts';
import type { Customization, CustomizeContext, CustomizeOptions, NamedInput } from './options.ts';
import { Refusal, type RefusalDiagnostic } from './refusal.ts';
import { Run } from './run.ts';

/**
 * Turns the options of `coreos-installer iso customize` into the edit of a live image. It makes the same config as
 * coreos-installer 0.27.0, and reads and refuses inputs in the same order. Rejects only if an input cannot be read.
 *
 * @example const outcome = await customize({ destDevice: '/dev/sda', destIgnition: [{ name: 'worker.ign', read: () => text }] }, { features })
 */
export async function customize(options: CustomizeOptions, context: CustomizeContext): Promise<Outcome<Customization>> {
  checkArguments(options, context);
  const run = new Run(options, context);
  try {
    return { ok: true, value: await run.customize(), diagnostics: run.diagnostics };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, diagnostics: [...run.diagnostics, ...refusalDiagnostics(error)] };
  }
}

/**
 * `customize` that throws an `IgnitionError`; its message names the input, and its first cause the mistake.
 *
 * @example const { changes, description } = await customizeOrThrow({ liveKargAppend: ['console=ttyS0'] }, { features })
 */
export async function customizeOrThrow(options: CustomizeOptions, context: CustomizeContext): Promise<Customization> {
  checkArguments(options, context);
  const run = new Run(options, context);
  try {
    return await run.customize();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [message = '', ...causes] = error.chain;
    const cause = causes.reduceRight<Error | undefined>(
      (inner, text) => new Error(text, inner === undefined ? {} : { cause: inner }),
      undefined,
    );
    throw new IgnitionError('IGNITION_REFUSED', message, {
      ...(cause === undefined ? {} : { cause }),
      diagnostics: [...run.diagnostics, ...refusalDiagnostics(error)],
    });
  }
}

function refusalDiagnostics({ code, help, fault, message, others, path, range }: Refusal): RefusalDiagnostic[] {
  const finding = diagnostic({ code, message, path, help }, range);
  return [fault === undefined ? finding : { ...finding, fault }, ...others];
}

function checkArguments(options: CustomizeOptions, context: CustomizeContext): void {
  checkArgument('options', options, 'object');
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (name === 'destDevice') checkArgument(name, value, 'text');
    else if (/Karg|Console/.test(name)) checkArgument(name, value, 'texts');
    else checkInputs(name, value);
  }
  checkArgument('context', context, 'object');
  checkArgument('features', context.features, 'object');
  if (context.mode !== undefined) checkWord('mode', context.mode, ['strict', 'compatible']);
}

function checkInputs(parameter: string, inputs: unknown): void {
  checkArgument(parameter, inputs, 'array');
  for (const [index, input] of (inputs as unknown[]).entries()) {
    checkMethods(`${parameter}[${index}]`, input, ['read']);
    checkArgument(`${parameter}[${index}].name`, (input as NamedInput).name, 'text');
  }
}
