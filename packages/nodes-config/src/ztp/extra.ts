// The site's own objects for the new cluster.
import { goYaml, type Path, type Plain, toPlain } from '@coreiso/diagnostics';
import { utf8Length } from '@coreiso/peers/go';
import { isObject, textOf } from '@coreiso/peers/members';
import type { Findings } from '../text/config-findings.ts';
import { readAll } from '../text/read-text.ts';

/** A manifest of the user, to be kept in a ConfigMap. */
export interface ExtraManifest {
  readonly name: string;
  readonly text: string;
  readonly objects: readonly Plain[];
}

/** The largest object that etcd accepts, minus the part around the data. */
const LARGEST_MAP = 1_000_000;

/** Reads the texts; the service accepts only names with .yaml, .yml or .json. */
export function readExtraTexts(texts: Readonly<Record<string, string>>, findings: Findings): readonly ExtraManifest[] {
  const refuse = (message: string, path: Path, help: string): void =>
    findings.own({ code: 'nodes-config/extra-manifest', message, path, help });
  const total = Object.values(texts).reduce((sum, text) => sum + utf8Length(text), 0);
  if (total > LARGEST_MAP) {
    const message = `the extra manifests have ${total} bytes, and a ConfigMap holds at most ${LARGEST_MAP}`;
    refuse(message, ['extraManifests'], 'Apply some of them once the cluster is installed.');
  }
  return Object.entries(texts).map(([name, text]) => {
    const path = ['extraManifests', name];
    if (!/^[-._a-zA-Z0-9]+\.(?:ya?ml|json)$/.test(name)) {
      refuse(
        `${name} is not the name of a manifest`,
        path,
        'Take letters, digits, dots and hyphens, and .yaml at the end.',
      );
    }
    const read = readAll(text, `${name}: `, 'strict');
    if (!read.ok) {
      // Lines of the text are not those of the file, so the message names them.
      for (const { message, range } of read.findings.diagnostics())
        refuse(
          range === undefined ? message : `${message} (line ${range.start.line} of the text)`,
          path,
          'Write YAML.',
        );
      return { name, text, objects: [] };
    }
    const objects = read.documents.flatMap(({ root }) => (root === undefined ? [] : [toPlain(root, goYaml)]));
    for (const object of objects) {
      const isWhole = isObject(object) && textOf(object, 'kind') !== '' && textOf(object, 'apiVersion') !== '';
      if (!isWhole) refuse(`${name} has an entry that is not a Kubernetes object`, path, 'Add kind and apiVersion.');
    }
    return { name, text, objects };
  });
}
