// How cost grows with the size of the base: three curves, drawn as one SVG.
import { edit, openLiveImage } from '@coreiso/iso';
import { sampleIso } from '@coreiso/iso/sample';
import { sparseImage } from './images.ts';
import { time } from './programs.ts';
import { load, serveNginx, serveOurs } from './servers.ts';

const SIZES = [1, 4, 36];

/** One line of a diagram: a value for each size, in GiB. */
interface Curve {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Measures everything for bases of 1, 4 and 36 GiB, which take no space on disk. */
export async function growthCurves(directory: string): Promise<Curve[]> {
  const edits: number[] = [];
  const [ours, nginx, memory]: number[][] = [[], [], []];
  for (const gib of SIZES) {
    edits.push(await timeOfEdit(gib));
    const image = await sparseImage({ directory, imageMiB: 0 }, gib * 1024);
    const size = gib * 1024 ** 3;
    const [a, b] = [await serveOurs(image), await serveNginx(image)];
    nginx?.push((await load(b, 100, size, directory)).perSecond);
    ours?.push((await load(a, 100, size, directory)).perSecond);
    memory?.push(a.memory());
    await a.stop();
    await b.stop();
  }
  return [
    { title: 'open and edit', unit: 'ms', lines: [{ name: 'coreiso', values: edits }] },
    {
      title: 'random ranges of 64 KiB, 100 clients',
      unit: '/s',
      lines: [
        { name: 'coreiso', values: ours ?? [] },
        { name: 'nginx', values: nginx ?? [] },
      ],
    },
    { title: 'memory of the server', unit: 'MB', lines: [{ name: 'coreiso', values: memory ?? [] }] },
  ];
}

async function timeOfEdit(gib: number): Promise<number> {
  const base = await sampleIso({ size: gib * 1024 ** 3 });
  const ignition = new TextEncoder().encode('{"ignition":{"version":"3.4.0"}}');
  const work = async () => void (await edit(await openLiveImage(base), { ignition }));
  for (let warm = 0; warm < 10; warm++) await work();
  const times: number[] = [];
  for (let run = 0; run < 20; run++) times.push(await time(work));
  return Math.min(...times);
}

const [WIDTH, HEIGHT, MARGIN] = [260, 170, 40];
const COLOURS = ['#0b5fff', '#888888'];

/** The curves side by side; sizes are spaced by their logarithms, values begin at nought. */
export function drawCurves(curves: readonly Curve[]): string {
  const panels = curves.map((curve, index) => panel(curve, index * (WIDTH + MARGIN)));
  const width = curves.length * (WIDTH + MARGIN);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT + 2 * MARGIN}" font-family="sans-serif" font-size="11">
<title>Cost against the size of the base</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.join('\n')}
</svg>
`;
}

function panel({ title, unit, lines }: Curve, left: number): string {
  const most = Math.max(...lines.flatMap(({ values }) => values));
  const largest = Math.log(Math.max(...SIZES));
  const x = (gib: number): number => left + MARGIN + (Math.log(gib) / largest) * (WIDTH - MARGIN);
  const y = (value: number): number => MARGIN + HEIGHT - (value / (most * 1.15)) * HEIGHT;
  const ticks = SIZES.map(
    (gib) => `<text x="${x(gib)}" y="${MARGIN + HEIGHT + 16}" text-anchor="middle">${gib} GiB</text>`,
  );
  const drawn = lines.map(({ name, values }, index) => {
    const colour = COLOURS[index];
    const points = values.map((value, at) => `${x(SIZES[at] ?? 1).toFixed(1)},${y(value).toFixed(1)}`);
    const labels = values.map((value, at) => {
      const text = value >= 100 ? Math.round(value) : value.toFixed(1);
      return `<text x="${x(SIZES[at] ?? 1)}" y="${y(value) - 6}" text-anchor="middle" fill="${colour}">${text}</text>`;
    });
    const legend = `<text x="${left + MARGIN + index * 70}" y="${MARGIN - 6}" fill="${colour}">${name}</text>`;
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${labels.join('')}${legend}`;
  });
  const axis = `<path d="M${left + MARGIN} ${MARGIN}V${MARGIN + HEIGHT}H${left + WIDTH}" fill="none" stroke="#444444"/>`;
  return `<g><text x="${left + MARGIN}" y="16" font-weight="bold">${title} (${unit})</text>${axis}${ticks.join('')}${drawn.join('')}</g>`;
}
