import fc from 'fast-check';

/** Writes any tree, in block or flow style at random. `indent` is the column of the block being written. */
export type Writer = (indent: number, inFlow: boolean) => string;

const scalar: fc.Arbitrary<Writer> = fc.oneof(
  fc
    .constantFrom('a', 'b c', '12', '~', 'x:y', '-1', 'a#b', '😀', '"q\\n, ]"', "'it''s: {'", '!!str 1', '""', '!t')
    .map((text) => () => text),
  fc.constantFrom('|\n', '>-\n', '|+\n').map(
    (header): Writer =>
      (indent, inFlow) => {
        const pad = ' '.repeat(Math.max(indent, 0) + 2);
        return inFlow ? '"block"' : `${header}${pad}# one\n${pad}  two\n\n${pad}three\n`;
      },
  ),
);

/** Texts of any tree; `keys` is the number of names that its mappings use, in turn. */
export function treeWriter({ keys }: { readonly keys: number }): fc.Arbitrary<Writer> {
  return fc.letrec<{ tree: Writer }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.tuple(fc.boolean(), fc.array(tie('tree'), { maxLength: 4 })).map(
        ([flow, items]): Writer =>
          (indent, inFlow) => {
            if (flow || inFlow || items.length === 0)
              return `[${items.map((item) => item(indent + 2, true)).join(' , ')} ]`;
            const pad = ' '.repeat(indent);
            return lines(
              items.map((item) => `- ${item(indent + 2, false)}`),
              pad,
            );
          },
      ),
      fc.tuple(fc.boolean(), fc.array(tie('tree'), { maxLength: 4 })).map(
        ([flow, values]): Writer =>
          (indent, inFlow) => {
            const written = values.map((value, index) => ({ key: `k${index % keys}`, value }));
            if (flow || inFlow || values.length === 0) {
              return `{ ${written.map(({ key, value }) => `${key}: ${value(indent + 2, true)}`).join(', ')} }`;
            }
            const pad = ' '.repeat(indent);
            return lines(
              written.map(({ key, value }) => {
                const text = value(indent + 2, false);
                const isBlockCollection = /^(?:- |k\d: )/.test(text);
                return isBlockCollection ? `${key}: # c\n${pad}  ${text}` : `${key}: ${text}`;
              }),
              pad,
            );
          },
      ),
    ),
  })).tree;
}

function lines(entries: readonly string[], pad: string): string {
  return entries.map((entry) => (entry.endsWith('\n') ? entry : `${entry}\n`)).join(pad);
}
