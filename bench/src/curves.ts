// The growth of cost with the size of the base: the time and memory of each operation.
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sparseLiveImage } from './images.ts';
import { isOnPath, output, runJob } from './programs.ts';
import { load, serveNginx, serveOurs } from './servers.ts';

const GIB = 1024 ** 3;
const SIZES = [1, 4, 36];

/** One diagram: a value for each size, in GiB; `undefined` if there was no space for it. */
export interface Curve {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

interface Line {
  readonly name: string;
  readonly values: (number | undefined)[];
}

/** Measures bases of 1, 4 and 36 GiB, which take no space on disk; their plain copies do. */
export async function growthCurves(directory: string, say: (text: string) => void): Promise<readonly Curve[]> {
  const line = (name: string): Line => ({ name, values: [] });
  const [edits, shared, copies, streams] = [line('coreiso'), line('coreiso'), line('coreiso'), line('coreiso')];
  const [ours, nginx] = [line('coreiso'), line('nginx')];
  const memory = { edit: line('edit'), copy: line('copy'), stream: line('stream'), serve: line('serve') };
  for (const gib of SIZES) {
    say(`${gib} GiB: edit, copy, stream, serve`);
    const image = await sparseLiveImage(directory, gib);
    const edited = await runJob('edit', [image], '>/dev/null');
    edits.values.push(edited.ms);
    memory.edit.values.push(edited.maxRssMB);
    const copied = await copyJob(image, gib, directory, say);
    copies.values.push(copied && copied.ms / 1000);
    memory.copy.values.push(copied?.maxRssMB);
    shared.values.push(await sharingCopy(gib, directory, say));
    const streamed = await runJob('stream', [image], '>/dev/null');
    streams.values.push(streamed.ms / 1000);
    memory.stream.values.push(streamed.maxRssMB);
    const [a, b] = [await serveOurs(image), await serveNginx(image)];
    nginx.values.push((await load(b, 100, gib * GIB, directory)).perSecond);
    ours.values.push((await load(a, 100, gib * GIB, directory)).perSecond);
    memory.serve.values.push(a.memory());
    await a.stop();
    await b.stop();
    await rm(image);
  }
  return [
    { title: 'edit in place', unit: 'ms', lines: [edits] },
    { title: 'copy, blocks shared', unit: 'ms', lines: [shared] },
    { title: 'copy', unit: 's', lines: [copies] },
    { title: 'stream', unit: 's', lines: [streams] },
    { title: 'ranges of 64 KiB, 100 clients', unit: '/s', lines: [ours, nginx] },
    { title: 'peak memory', unit: 'MB', lines: Object.values(memory) },
  ];
}

/** Disk space left for other programs. */
const SPARE = 8 * GIB;

async function copyJob(image: string, gib: number, directory: string, say: (text: string) => void) {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < gib * GIB + SPARE) {
    say(`${gib} GiB: no room for a copy in ${directory}`);
    return undefined;
  }
  const target = join(directory, 'copy.iso');
  try {
    return await runJob('copy', [image, target], '>/dev/null');
  } finally {
    await rm(target, { force: true });
  }
}

/** On btrfs in a file, which root may mount. */
async function sharingCopy(gib: number, directory: string, say: (text: string) => void): Promise<number | undefined> {
  if (process.getuid?.() !== 0 || !isOnPath('mkfs.btrfs')) {
    say(`${gib} GiB: only root can mount the btrfs (mkfs.btrfs) for a copy that shares blocks`);
    return undefined;
  }
  const [disk, folder] = [join(directory, 'btrfs.img'), join(directory, 'btrfs')];
  await output('sh', [
    '-ec',
    'truncate -s 4G "$1"; mkfs.btrfs -q "$1"; mkdir "$2"; mount -o loop "$1" "$2"',
    'sh',
    disk,
    folder,
  ]);
  try {
    const image = await sparseLiveImage(folder, gib);
    return (await runJob('copy', [image, join(folder, 'copy.iso')], '>/dev/null')).ms;
  } finally {
    await output('umount', [folder]);
    await rm(disk);
    await rm(folder, { recursive: true });
  }
}

/** The figures, as a table of Markdown. */
export function tableOfCurves(curves: readonly Curve[]): string {
  const rows = curves.flatMap(({ title, unit, lines }) =>
    lines.map(({ name, values }) => `| ${[title, name, ...values.map((value) => figure(value, unit))].join(' | ')} |`),
  );
  const sizes = SIZES.map((gib) => `${gib} GiB`);
  return ['', `| What | Who | ${sizes.join(' | ')} |`, `| --- | --- ${'| --: '.repeat(SIZES.length)}|`, ...rows].join(
    '\n',
  );
}

function figure(value: number | undefined, unit: string): string {
  if (value === undefined) return 'no room';
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${unit}`;
}

const [WIDTH, HEIGHT, MARGIN] = [260, 170, 40];
const PANELS_PER_ROW = 3;
const COLOURS = ['#0b5fff', '#888888', '#c2410c', '#15803d'];

/** The curves side by side; sizes are spaced by their logarithms, values begin at zero. */
export function drawCurves(curves: readonly Curve[]): string {
  const [across, down] = [WIDTH + MARGIN, HEIGHT + 2 * MARGIN];
  const panels = curves.map(
    (curve, index) =>
      `<g transform="translate(${(index % PANELS_PER_ROW) * across} ${Math.floor(index / PANELS_PER_ROW) * down})">${panel(curve)}</g>`,
  );
  const [width, height] = [PANELS_PER_ROW * across, Math.ceil(curves.length / PANELS_PER_ROW) * down];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<title>Cost against the size of the base</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.join('\n')}
</svg>
`;
}

function panel({ title, unit, lines }: Curve): string {
  const most = Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const largest = Math.log(Math.max(...SIZES));
  const x = (index: number): number => MARGIN + (Math.log(SIZES[index] ?? 1) / largest) * (WIDTH - MARGIN);
  const y = (value: number): number => MARGIN + HEIGHT - (value / (most * 1.15)) * HEIGHT;
  const ticks = SIZES.map(
    (gib, at) => `<text x="${x(at).toFixed(1)}" y="${MARGIN + HEIGHT + 16}" text-anchor="middle">${gib} GiB</text>`,
  );
  const drawn = lines.map(({ name, values }, index) => {
    const colour = COLOURS[index];
    const points = values.flatMap((value, at) => (value === undefined ? [] : [{ value, at: x(at).toFixed(1) }]));
    const labels = points.map(({ value, at }) => {
      const text = value >= 100 ? Math.round(value) : value.toFixed(1);
      return `<text x="${at}" y="${(y(value) - 6).toFixed(1)}" text-anchor="middle" fill="${colour}">${text}</text>`;
    });
    const legend =
      lines.length === 1 ? '' : `<text x="${MARGIN + index * 60}" y="${MARGIN - 6}" fill="${colour}">${name}</text>`;
    const path = points.map(({ value, at }) => `${at},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${labels.join('')}${legend}`;
  });
  const axis = `<path d="M${MARGIN} ${MARGIN}V${MARGIN + HEIGHT}H${WIDTH}" fill="none" stroke="#444444"/>`;
  return `<text x="${MARGIN}" y="16" font-weight="bold">${title} (${unit})</text>${axis}${ticks.join('')}${drawn.join('')}`;
}
