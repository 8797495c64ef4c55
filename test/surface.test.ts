import { describe, expect, test } from 'vitest';
import { packages } from './support/sources.ts';
import { publicNames } from './support/surface.ts';

/** How many types are still named and not exported, or exported and not described; no package may owe more, and in the end none owes any. */
const OWED: Readonly<Record<string, readonly [unexported: number, undescribed: number]>> = {
  iso: [19, 4],
  nmstate: [0, 2],
  'nodes-config': [21, 8],
  openshift: [1, 11],
};

/** As many names as users may have to learn of; a new one has to be worth one that goes. */
const LARGEST_SURFACE = 773;

const names = publicNames();

test('all packages together export no more names than anyone can know', () => {
  const lists = packages.map((name) => {
    const own = names.filter((one) => one.package === name).map((one) => one.name);
    return `${name} ${own.length}: ${own.sort().join(' ')}`;
  });
  expect(names.length, `\n${lists.join('\n')}\n`).toBeLessThanOrEqual(LARGEST_SURFACE);
});

describe.each(packages)('of what %s exports', (name) => {
  const own = names.filter((one) => one.package === name);

  const [unexported, undescribed] = OWED[name] ?? [0, 0];

  test('every type that a declaration names can be imported, too', () => {
    const missing = own.flatMap((one) => one.unexported.map((type) => `${type} of ${one.name}`));
    expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(unexported);
  });

  test('every type says what it is', () => {
    const bare = own.filter((one) => one.isType && !one.isDocumented).map((one) => one.name);
    expect(bare.length, bare.join('\n')).toBeLessThanOrEqual(undescribed);
  });
});
