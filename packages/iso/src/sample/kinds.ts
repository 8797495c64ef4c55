// The generations of live images and their differences. Dates are those of the builder's main branch; release branches
// kept their generation for years, so all generations are still in use.
import { ARCHITECTURES, type Architecture } from '../live/architecture.ts';

type Generation = Omit<SampleKind, 'architecture' | 'description'>;

const RHCOS_46: Generation = {
  name: '2020-09',
  initrdHeader: true,
  kargsHeader: false,
  kargsFile: 'absent',
  igninfo: false,
  features: 'absent',
  minimal: false,
  hybrid: false,
  rootFileSystem: 'squashfs',
};
const RHCOS_47: Generation = { ...RHCOS_46, name: '2021-01', kargsHeader: true };
const FCOS_34: Generation = { ...RHCOS_47, name: '2021-09', kargsFile: 'offsets' };
const FCOS_35: Generation = { ...FCOS_34, name: '2021-12', features: 'flags', minimal: true };
const WITHOUT_HEADERS: Generation = {
  ...FCOS_35,
  name: '2022-02',
  initrdHeader: false,
  kargsHeader: false,
  hybrid: true,
};
const FCOS_36: Generation = { ...WITHOUT_HEADERS, name: '2022-09', features: 'directives' };
const FCOS_37: Generation = { ...FCOS_36, name: '2023-03', igninfo: true };
const FCOS_38: Generation = { ...FCOS_37, name: '2023-07', kargsFile: 'fill' };
/** OpenShift has it since 4.22. */
const FCOS_42: Generation = { ...FCOS_38, name: '2025-04', rootFileSystem: 'erofs' };

const GENERATIONS = [RHCOS_46, RHCOS_47, FCOS_34, FCOS_35, WITHOUT_HEADERS, FCOS_36, FCOS_37, FCOS_38, FCOS_42];

/** A sample image: a generation of live images and an architecture. */
export interface SampleKind {
  /** For example `2023-07.x86_64`. */
  readonly name: string;
  readonly architecture: Architecture;
  /** Description of the image's contents in one line. */
  readonly description: string;
  /** Whether a header in the System Area points to the initrd area. */
  readonly initrdHeader: boolean;
  /** Whether a header in the System Area points to the kargs areas, with the default in `/.cmdline`. */
  readonly kargsHeader: boolean;
  /** The contents of `kargs.json`: offsets, or offsets and the characters around the text. */
  readonly kargsFile: 'absent' | 'offsets' | 'fill';
  readonly igninfo: boolean;
  readonly features: 'absent' | 'flags' | 'directives';
  /** Whether it has a recipe for the minimal image. */
  readonly minimal: boolean;
  /** Whether x86_64 images have partition tables. */
  readonly hybrid: boolean;
  /** The type of the root file system. */
  readonly rootFileSystem: 'squashfs' | 'erofs';
}

/** The newest kind with the most common root file system and architecture. */
export const DEFAULT_KIND = '2023-07.x86_64';

/**
 * All kinds of sample images, oldest first.
 *
 * @example
 * ```ts
 * for (const { name, description } of sampleKinds()) console.log(name, description);
 * ```
 */
export function sampleKinds(): SampleKind[] {
  return GENERATIONS.flatMap((generation) =>
    ARCHITECTURES
      // Before March 2023, images for s390x had no areas.
      .filter((architecture) => architecture !== 's390x' || generation.igninfo)
      .map((architecture) => makeKind(generation, architecture)),
  );
}

/** The kind of this name, refused if there is none. */
export function sampleKind(name: string): SampleKind {
  const kind = sampleKinds().find((candidate) => candidate.name === name);
  if (kind === undefined) throw new RangeError(`kind must be the name of a sample, not ${JSON.stringify(name)}`);
  return kind;
}

function makeKind(generation: Generation, architecture: Architecture): SampleKind {
  const kind = {
    ...generation,
    name: `${generation.name}.${architecture}`,
    architecture,
    // On s390x, the kargs area came half a year after the initrd area.
    kargsFile: architecture === 's390x' && generation.kargsFile === 'offsets' ? 'absent' : generation.kargsFile,
    hybrid: generation.hybrid && architecture === 'x86_64',
  } as const;
  return { ...kind, description: describe(kind) };
}

function describe(kind: Omit<SampleKind, 'description'>): string {
  const area = kind.architecture === 's390x' ? 'cdboot.img' : 'ignition.img';
  const found = [kind.igninfo && 'igninfo.json', kind.initrdHeader && 'coreiso+'].filter(Boolean);
  const kargs = [kind.kargsFile !== 'absent' && 'kargs.json', kind.kargsHeader && 'coreKarg'].filter(Boolean);
  return [
    `initrd area in ${area}${found.length > 0 ? ` (${found.join(', ')})` : ''}`,
    kargs.length > 0 ? `kargs areas (${kargs.join(', ')})` : 'no kargs areas',
    ...(kind.features === 'absent' ? [] : ['features']),
    ...(kind.minimal ? ['minimal ISO'] : []),
    ...(kind.hybrid ? ['USB boot'] : []),
    ...(kind.rootFileSystem === 'erofs' ? ['EROFS root'] : []),
  ].join(', ');
}
