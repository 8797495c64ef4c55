// The pages of a file server: its index, and its metrics in the text format of Prometheus.
import type { FileReading, Readings } from './readings.ts';

interface Place {
  readonly name: string;
  readonly owner: string | undefined;
  readonly path: string;
}

/** The index for people: the addresses of all files, and how far they were read. */
export function indexText(places: readonly Place[], readings: Readings, now: number): string {
  return places.map(({ name, path }) => `${path}${status(readings.of(name), now)}\n`).join('');
}

function status({ share, last }: FileReading, now: number): string {
  if (last === undefined) return '';
  return `  ${Math.floor(share * 100)} % read, last range ${Math.round((now - last) / 1000)} s ago`;
}

/** The index for programs. */
export function indexData(places: readonly Place[], readings: Readings): object[] {
  return places.map(({ name, owner, path }) => {
    const { share, last, sent } = readings.of(name);
    return { name, owner, path, read: share, sent, last: last === undefined ? null : new Date(last).toISOString() };
  });
}

/** A family of metrics: the samples of each file, with further labels. */
interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly samples: (reading: FileReading) => readonly (readonly [labels: string, value: number])[];
}

const FAMILIES: readonly Family[] = [
  {
    name: 'coreiso_http_requests_total',
    type: 'counter',
    help: 'Requests answered, by file and status; those for no file have none.',
    samples: ({ statuses }) => [...statuses].map(([code, count]) => [`,code="${code}"`, count] as const),
  },
  {
    name: 'coreiso_http_sent_bytes_total',
    type: 'counter',
    help: 'Bytes of the file that were sent.',
    samples: ({ sent }) => [['', sent]],
  },
  {
    name: 'coreiso_file_read_ratio',
    type: 'gauge',
    help: 'How much of the file was read by the client that read most of it.',
    samples: ({ share }) => [['', share]],
  },
  {
    name: 'coreiso_file_last_read_timestamp_seconds',
    type: 'gauge',
    help: 'When bytes of the file were last read.',
    samples: ({ last }) => (last === undefined ? [] : [['', last / 1000]]),
  },
];

/** Metrics of all files, by name and not by address, because addresses hold secrets. */
export function metricsText(names: Iterable<string>, readings: Readings): string {
  const all = [...names, ''].map((name) => readings.of(name));
  return FAMILIES.map(({ name, type, help, samples }) => {
    const lines = all
      .filter((reading) => reading.name !== '' || reading.statuses.size > 0)
      .flatMap((reading) => samples(reading).map((sample) => [reading.name, ...sample] as const))
      .map(([file, labels, value]) => `${name}{file="${escaped(file)}"${labels}} ${value}\n`);
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
  }).join('');
}

function escaped(label: string): string {
  return label.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
