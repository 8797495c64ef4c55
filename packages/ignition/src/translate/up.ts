import type { Integer } from '../spec/generated/types.ts';
import { modelOf, type ObjectModel } from '../spec/model.ts';
import { listAt, objectAt, type Value, type Values } from '../spec/values.ts';
import { minorOf, SPEC_VERSIONS, type SpecVersion } from '../spec/version.ts';

/** Options of a translation. */
export interface TranslateOptions {
  /** The version to assume for the config, instead of its `ignition.version`. */
  readonly from?: SpecVersion | undefined;
  /** Keeps the tang advertisements that Ignition drops between 3.4.0 and 3.5.0. */
  readonly keepAdvertisements?: boolean | undefined;
}

/** Translates to a later version step by step, as Ignition does with every config before use. */
export function translateUp(
  values: Values,
  from: SpecVersion,
  to: SpecVersion,
  options: TranslateOptions = {},
): Values {
  let raised = values;
  for (let minor = minorOf(from); minor < minorOf(to); minor++) raised = step(raised, minor, options);
  return { ...raised, ignition: { ...objectAt(raised['ignition']), version: to } };
}

function step(values: Values, minor: number, { keepAdvertisements = false }: TranslateOptions): Values {
  const [before, after] = [SPEC_VERSIONS[minor], SPEC_VERSIONS[minor + 1]];
  if (before === undefined || after === undefined)
    throw new RangeError(`minor must be one that has a successor, not ${minor}`);
  const raised = fillAbsentTexts(values, modelOf(before), modelOf(after));
  if (minor === 4 && !keepAdvertisements) return mapObjects(raised, modelOf(after), 'Tang', withoutAdvertisement);
  if (minor !== 5) return raised;
  const files = mapObjects(raised, modelOf(after), 'File', withoutSpecialBits);
  return mapObjects(files, modelOf(after), 'Directory', withoutSpecialBits);
}

/** Writes absent texts as empty ones if only the later version distinguishes the two. */
function fillAbsentTexts(values: Values, before: ObjectModel, after: ObjectModel): Values {
  const result: Values = { ...values };
  for (const field of before.fields) {
    const later = after.byName.get(field.name);
    if (later === undefined) continue;
    const value = values[field.name];
    const { model } = field;
    const laterModel = later.model;
    if (model === undefined || laterModel === undefined) {
      if (later.nullable && !field.nullable && value === undefined) result[field.name] = '';
    } else if (value !== undefined) {
      result[field.name] =
        field.list === undefined
          ? fillAbsentTexts(objectAt(value), model, laterModel)
          : listAt(value).map((item) => fillAbsentTexts(objectAt(item), model, laterModel));
    }
  }
  return result;
}

/** Replaces every object of one kind. */
function mapObjects(
  values: Values,
  model: ObjectModel,
  shape: ObjectModel['shape'],
  change: (values: Values) => Values,
): Values {
  const result: Values = { ...values };
  for (const { name, list, model: inner } of model.fields) {
    const value = values[name];
    if (inner === undefined || value === undefined) continue;
    const visit = (item: Value): Values => mapObjects(objectAt(item), inner, shape, change);
    result[name] = list === undefined ? visit(value) : listAt(value).map(visit);
  }
  return model.shape === shape ? change(result) : result;
}

function withoutAdvertisement({ advertisement: _, ...tang }: Values): Values {
  return tang;
}

export const SPECIAL_BITS = 0o7000n;

/** Removes mode bits that have no effect before 3.6.0. */
function withoutSpecialBits(node: Values): Values {
  const mode = node['mode'] as Integer | undefined;
  if (mode === undefined) return node;
  const cleared = BigInt(mode) & ~SPECIAL_BITS;
  const short = Number(cleared);
  return { ...node, mode: Number.isSafeInteger(short) ? short : cleared };
}
