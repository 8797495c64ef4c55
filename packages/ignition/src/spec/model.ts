import { type Member, type ScalarType, SHAPES, type ShapeName, within } from './fields.ts';
import { minorOf, type SpecVersion } from './version.ts';

/** A member as one spec version has it. */
export interface Field {
  readonly name: string;
  readonly type: ScalarType | 'object';
  readonly list: Member['list'] | undefined;
  readonly group: Member['group'] | undefined;
  /** Whether absent differs from empty (scalars) or from `{}` (objects). */
  readonly nullable: boolean;
  /** Whether a writer writes an absent text as `""`, because this version treats both the same. */
  readonly written: boolean;
  /** Undefined for scalars and lists of scalars. */
  readonly model: ObjectModel | undefined;
}

/** One kind of object as one spec version has it. */
export interface ObjectModel {
  readonly shape: ShapeName;
  readonly key: string | undefined;
  /** In the order in which Ignition walks and writes them. */
  readonly fields: readonly Field[];
  /** The fields that hold objects. */
  readonly objects: readonly Field[];
  /** The fields that are lists merged by key. */
  readonly keyed: readonly Field[];
  readonly byName: ReadonlyMap<string, Field>;
  readonly byFoldedName: ReadonlyMap<string, Field>;
}

const models = new Map<SpecVersion, ObjectModel>();

/** The model of a whole config in one version. */
export function modelOf(version: SpecVersion): ObjectModel {
  let model = models.get(version);
  if (model === undefined) {
    model = compile(minorOf(version));
    models.set(version, model);
  }
  return model;
}

/** The model of a config while its version is unknown: `ignition.version` alone. */
export function versionModel(): ObjectModel {
  const root = modelOf('3.0.0');
  const ignition = root.byName.get('ignition');
  const version = ignition?.model?.byName.get('version');
  if (ignition?.model === undefined || version === undefined) throw new Error('the table has no ignition.version');
  return objectModel('Config', undefined, [{ ...ignition, model: objectModel('Ignition', undefined, [version]) }]);
}

/**
 * Folds the case of a member name, for names without an exact match. Two letters outside ASCII fold to ASCII: U+212A to `k`,
 * which lower-casing does, and U+017F to `s`, which it does not.
 */
export function foldName(name: string): string {
  return name.replaceAll('\u017F', 's').toLowerCase();
}

function objectModel(shape: ShapeName, key: string | undefined, fields: readonly Field[]): ObjectModel {
  return {
    shape,
    key,
    fields,
    objects: fields.filter(({ model }) => model !== undefined),
    keyed: fields.filter(({ list }) => list === 'keyed'),
    byName: new Map(fields.map((each) => [each.name, each])),
    byFoldedName: new Map(fields.map((each) => [foldName(each.name), each])),
  };
}

function compile(minor: number): ObjectModel {
  const made = new Map<ShapeName, ObjectModel>();
  function object(shape: ShapeName): ObjectModel {
    const known = made.get(shape);
    if (known !== undefined) return known;
    const { key, members } = SHAPES[shape];
    const fields = Object.entries(members)
      .filter(([, member]) => (member.since ?? 0) <= minor)
      .map(([name, member]) => field(name, member));
    const model = objectModel(shape, key, fields);
    made.set(shape, model);
    return model;
  }
  function field(name: string, member: Member): Field {
    const { type, list, group } = member;
    const scalar = type === 'string' || type === 'integer' || type === 'boolean';
    const nullable = member.nullable === undefined ? scalar : within(member.nullable, minor);
    return {
      name,
      type: scalar ? type : 'object',
      list,
      group,
      nullable,
      written: scalar && list === undefined && !nullable && !within(member.omitted, minor),
      model: scalar ? undefined : object(type),
    };
  }
  return object('Config');
}
