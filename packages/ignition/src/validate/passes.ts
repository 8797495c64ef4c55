// Three walks over the same model, in the order of their findings in the report.
import type { MappingEntry, Node, ScalarNode } from '@coreiso/diagnostics';
import { below, type Place, pathOf, printPath } from '../parse/place.ts';
import type { ShapeTypes } from '../spec/generated/types.ts';
import type { ObjectModel } from '../spec/model.ts';
import { keyOf, listAt, objectAt, type Values } from '../spec/values.ts';
import type { Check, Findings } from './breaches.ts';
import { checkDisk, checkFilesystem, checkPartition, checkRaid } from './disks.ts';
import { checkCustomPin, checkLuks, checkTang } from './luks.ts';
import { checkConfig, checkDirectory, checkFile, checkLink, checkOwner, checkStorage } from './nodes.ts';
import {
  checkCertificateAuthority,
  checkConfigReferences,
  checkHttpHeader,
  checkIgnition,
  checkProxy,
  checkReference,
  checkResource,
  checkTls,
  checkVerification,
} from './resource.ts';
import { checkDropin, checkSystemd, checkUnit } from './systemd.ts';

const CHECKS: { readonly [Shape in keyof ShapeTypes]?: Check<ShapeTypes[Shape]> } = {
  Config: checkConfig,
  Ignition: checkIgnition,
  ConfigReferences: checkConfigReferences,
  MergeReference: checkReference,
  ReplaceReference: checkReference,
  HttpHeader: checkHttpHeader,
  Verification: checkVerification,
  ProxySettings: checkProxy,
  Tls: checkTls,
  CertificateAuthority: checkCertificateAuthority,
  Storage: checkStorage,
  Owner: checkOwner,
  Directory: checkDirectory,
  Disk: checkDisk,
  Partition: checkPartition,
  File: checkFile,
  Resource: checkResource,
  Filesystem: checkFilesystem,
  Link: checkLink,
  Luks: checkLuks,
  CustomPin: checkCustomPin,
  Tang: checkTang,
  Raid: checkRaid,
  Systemd: checkSystemd,
  Unit: checkUnit,
  Dropin: checkDropin,
};

/** Checks the rules of each object, outer objects first. */
export function checkRules(values: Values, model: ObjectModel, at: Place, findings: Findings): void {
  // These values were read with the model, so they have the type of its shape.
  const check = CHECKS[model.shape] as Check<Values> | undefined;
  check?.(values, at, findings);
  eachObject(values, model, at, (child, childModel, place) => checkRules(child, childModel, place, findings));
}

/** Finds keys that are repeated in a list or in lists that share their keys. */
export function checkDuplicates(values: Values, model: ObjectModel, at: Place, findings: Findings): void {
  let shared: Map<string, Set<string>> | undefined;
  for (const { name, group = name, model: itemModel } of model.keyed) {
    const items = listAt(values[name]);
    if (items.length === 0) continue;
    shared ??= new Map();
    const seen = shared.get(group) ?? new Set();
    shared.set(group, seen);
    for (const [index, item] of items.entries()) {
      const key = keyOf(item, itemModel);
      if (seen.has(key)) findings.add('duplicate-entry', at, name, index);
      seen.add(key);
    }
  }
  eachObject(values, model, at, (child, childModel, place) => checkDuplicates(child, childModel, place, findings));
}

/** Visits every object inside. Visits `ignition` even if it is absent, because its version is required. */
function eachObject(
  values: Values,
  model: ObjectModel,
  at: Place,
  visit: (values: Values, model: ObjectModel, at: Place) => void,
): void {
  for (const { name, list, model: inner } of model.objects) {
    const value = values[name];
    if (inner === undefined || (value === undefined && inner.shape !== 'Ignition')) continue;
    const place = below(at, name);
    if (list === undefined) visit(objectAt(value), inner, place);
    else for (const [index, item] of listAt(value).entries()) visit(objectAt(item), inner, below(place, index));
  }
}

const MISMATCH = '. Line and column reporting may be inconsistent. Unused keys may not be reported';

/** Finds members of the text that the model does not have, by their exact spelling. */
export function checkKeys(
  values: Values | undefined,
  node: Node,
  model: ObjectModel,
  at: Place,
  findings: Findings,
): void {
  if (node.kind !== 'mapping') {
    findings.addWith(printPath(pathOf(at)) + MISMATCH, 'not-an-object', at);
    return;
  }
  let known: Map<string, Node> | undefined;
  let unknown: Map<string, MappingEntry> | undefined;
  for (const entry of node.entries) {
    const { text } = entry.key as ScalarNode;
    const field = model.byName.get(text);
    if (field === undefined) {
      // The last one of equal names counts, also for the order.
      unknown ??= new Map();
      unknown.delete(text);
      unknown.set(text, entry);
    } else if (field.model !== undefined) {
      known ??= new Map();
      known.set(text, entry.value);
    }
  }
  for (const [name, { key }] of unknown ?? []) findings.addAt(key, name, 'unused-key', below(at, name));
  for (const { name, list, model: inner, nullable } of model.objects) {
    const child = known?.get(name);
    const value = values?.[name];
    if (inner === undefined || child === undefined || (nullable && value === undefined)) continue;
    const place = below(at, name);
    if (list === undefined) checkKeys(value as Values | undefined, child, inner, place, findings);
    else if (child.kind === 'sequence') {
      for (const [index, item] of listAt(value).entries()) {
        const itemNode = child.items[index];
        if (itemNode !== undefined) checkKeys(objectAt(item), itemNode, inner, below(place, index), findings);
      }
    }
  }
}
