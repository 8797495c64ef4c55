import { checkArgument } from '@coreiso/peers/arguments';
import type { InspectedInitrd, InspectedKargs, InspectedMember, Inspection } from './inspect.ts';

/**
 * Formats an inspection for people, with control characters made visible.
 *
 * @example
 * ```ts
 * console.log(formatInspection(await inspect(file)));
 * ```
 */
export function formatInspection(inspection: Inspection): string {
  checkArgument('inspection', inspection, 'object');
  checkArgument('inspection.problems', inspection.problems, 'array');
  checkArgument('inspection.oddities', inspection.oddities, 'array');
  const { volumeId, architecture, initrd, kargs, features, minimal, problems, oddities } = inspection;
  const lines = [
    row('Volume', `${volumeId}${architecture === undefined ? '' : ` (${architecture})`}`),
    row('Size', sizeText(inspection)),
    row('State', stateText(inspection)),
    ...(initrd === undefined ? [] : initrdLines(initrd)),
    ...(kargs === undefined ? [row('Kernel args', 'cannot be changed in this image')] : kargsLines(kargs)),
    row('Features', features === undefined ? 'unknown' : featuresText(features)),
    row(
      'Minimal ISO',
      minimal === undefined ? 'no recipe' : `recipe of ${minimal.entries} parts by ${minimal.createdBy}`,
    ),
    ...problems.map((messages) => row('Problem', messages.join(': '))),
    ...oddities.map(({ message, offset }) => row('Oddity', `${message} (at byte ${offset})`)),
  ];
  return `${lines.map(showControls).join('\n')}\n`;
}

/** Names in the image are untrusted: they must not move the cursor or begin a line. */
function showControls(line: string): string {
  return line.replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0);
    return String.fromCharCode(code < 0x20 ? 0x2400 + code : 0xfffd);
  });
}

const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

function row(label: string, text: string): string {
  return `${label.padEnd(12)} ${text}`;
}

function detail(text: string): string {
  return `  ${text}`;
}

function sizeText({ size, volumeSize, complete }: Inspection): string {
  return complete ? `${size} bytes, complete` : `${size} bytes, truncated: the volume has ${volumeSize}`;
}

function stateText({ pristine }: Inspection): string {
  if (pristine === undefined) return 'unknown, see the problems';
  return pristine ? 'pristine' : 'customised';
}

function initrdLines({ offset, length, used, free, formats, members }: InspectedInitrd): string[] {
  const format = formats.length === 0 ? '' : `, ${formats.join(' + ')}`;
  const width = Math.max(0, ...members.map(({ size }) => String(size).length));
  return [
    row('Initrd area', `${length} bytes at ${offset}: ${used} used, ${free} free${format}`),
    ...members.map(({ path, kind, mode, size }) =>
      detail(`${modeText(kind, mode)} ${String(size).padStart(width)} ${path}`),
    ),
  ];
}

function kargsLines({ default: pristine, current, used, free, areas }: InspectedKargs): string[] {
  const places = areas.map(({ offset }) => offset).join(', ');
  const place = `${areas.length === 1 ? 'one area' : `${areas.length} areas`} at ${places}`;
  return [
    row('Kernel args', `${used} bytes used, ${free} free, in ${place}`),
    detail(`current: ${current}`),
    ...(current === pristine ? [] : [detail(`default: ${pristine}`)]),
  ];
}

function featuresText(features: NonNullable<Inspection['features']>): string {
  const directives = Object.values(features.installerConfigDirectives).filter((known) => known).length;
  const names = [
    ...(features.installerConfig ? ['installer-config'] : []),
    ...(features.liveInitrdNetwork ? ['live-initrd-network'] : []),
    ...(directives > 0 ? [`${directives} installer directives`] : []),
  ];
  return names.length === 0 ? 'none' : names.join(', ');
}

const KIND_LETTERS: Readonly<Record<InspectedMember['kind'], string>> = {
  file: '-',
  directory: 'd',
  symlink: 'l',
  block: 'b',
  character: 'c',
  fifo: 'p',
  socket: 's',
  unknown: '?',
};

/** The mode as in `ls -l`, without special bits. */
function modeText(kind: InspectedMember['kind'], mode: number): string {
  const bits = [...'rwxrwxrwx'].map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-'));
  return KIND_LETTERS[kind] + bits.join('');
}
