import type { Path } from '@coreiso/diagnostics';
import { below, type Place, pathOf } from '../parse/place.ts';
import type { Field, ObjectModel } from '../spec/model.ts';
import { isZero, listAt, objectAt, type Value, type Values } from '../spec/values.ts';

/** One of the two configs of a merge. */
export type Side = TranscriptEntry['side'];

/** The origin of a member of the result: its path and its config. */
export interface TranscriptEntry {
  readonly side: 'parent' | 'child';
  readonly from: Path;
  readonly to: Path;
}

/** The place of a value on one side and in the result. */
export interface CopiedPlace {
  readonly from: Place;
  readonly to: Place;
}

export function copiedPlaceBelow({ from, to }: CopiedPlace, step: string | number): CopiedPlace {
  return { from: below(from, step), to: below(to, step) };
}

/** Records the origin of members in their order; inner members come before their container. */
export class Transcript {
  readonly entries: TranscriptEntry[] = [];

  add(side: Side, { from, to }: CopiedPlace): void {
    this.entries.push({ side, from: pathOf(from), to: pathOf(to) });
  }

  /** Records a member that is copied whole from one side. Returns whether there was anything to record. */
  addMember(side: Side, value: Value | undefined, field: Field, passage: CopiedPlace): boolean {
    if (field.list === undefined) return this.addItem(side, value, field, passage);
    let any = false;
    for (const [index, item] of listAt(value).entries()) {
      any = this.addItem(side, item, field, copiedPlaceBelow(passage, index)) || any;
    }
    if (any) this.add(side, passage);
    return any;
  }

  addItem(side: Side, value: Value | undefined, field: Field, passage: CopiedPlace): boolean {
    const any =
      field.model === undefined
        ? value !== undefined && (field.nullable && field.list === undefined ? true : !isEmptyScalar(value))
        : this.addMembers(side, objectAt(value), field.model, passage);
    if (any) this.add(side, passage);
    return any;
  }

  addMembers(side: Side, values: Values, model: ObjectModel, passage: CopiedPlace): boolean {
    let any = false;
    for (const field of model.fields) {
      any = this.addMember(side, values[field.name], field, copiedPlaceBelow(passage, field.name)) || any;
    }
    return any;
  }
}

/** Whether a text or number counts as absent because it is empty or zero. */
export function isEmptyScalar(value: Value | undefined): boolean {
  return value === undefined || value === '' || isZero(value);
}
