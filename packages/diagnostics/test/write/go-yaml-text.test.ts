import { readFileSync } from 'node:fs';
import { goKey, goYaml, type Plain, parseYaml, toPlain, writeGoYaml } from '@coreiso/diagnostics';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

interface Recording {
  readonly what: string;
  readonly json: string;
  readonly yaml: string;
}

/** What `yaml.JSONToYAML` of sigs.k8s.io/yaml 1.6.0 made of each. */
const recordings: Recording[] = JSON.parse(readFileSync(new URL('./go-yaml-text.json', import.meta.url), 'utf8'));

function read(text: string): Plain {
  const [document] = parseYaml(text, { flavour: 'go' });
  if (!document.ok) throw new Error(document.diagnostics[0]?.message);
  return document.value.root === undefined ? null : toPlain(document.value.root, goYaml, goKey);
}

describe('values are written as sigs.k8s.io/yaml writes them', () => {
  test.each(recordings)('$what', ({ json, yaml }) => {
    expect(writeGoYaml(read(json))).toBe(yaml);
  });

  test('and read back as what they were', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', ':', '-', '#', '"', "'", 'y', '1', '0', '\t', 'é'),
    });
    const { value } = fc.letrec<{ value: Plain }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Plain>(null, true, 7n, 1.5),
        text,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (plain) => {
        expect(read(writeGoYaml(plain))).toEqual(plain);
      }),
    );
  });
});
