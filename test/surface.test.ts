import { expect, test } from 'vitest';
import { packages } from './support/sources.ts';
import { publicNames } from './support/surface.ts';

/** The most names, types that are named but not exported, and exported types without a description. */
type Budget = readonly [names: number, unexported: number, undescribed: number];

/**
 * The budget of each package. A new name has to be worth one that is removed; the aim is no unexported and no
 * undescribed type. Sub-paths count, and a name that two of them export counts once.
 */
const BUDGETS: Readonly<Record<string, Budget>> = {
  cluster: [58, 0, 0],
  diagnostics: [52, 0, 0], // aim 48
  ignition: [64, 0, 0],
  iso: [136, 0, 0],
  language: [27, 0, 0],
  nmstate: [48, 0, 0],
  'nodes-config': [110, 0, 0],
  openshift: [60, 0, 0],
};

const all = publicNames();

test('every package has a budget of names', () => {
  expect(Object.keys(BUDGETS)).toEqual(expect.arrayContaining([...packages]));
  const counts = packages.map((name) => `${name} ${all.filter((one) => one.package === name).length}`);
  console.info(`${all.length} public names: ${counts.join(', ')}`);
});

test('all packages together export at most 580 names', () => {
  // 500 before the names that show findings and fixes in editors, and 80 for them and others.
  expect(all.length).toBeLessThanOrEqual(580);
});

test('no name is exported by two packages', () => {
  const shared = all.filter((one) => all.some((other) => other.name === one.name && other.package !== one.package));
  expect(shared.map(({ name, package: folder }) => `${name} of ${folder}`)).toEqual([]);
});

test.each(packages)('%s exports no more than its budget allows', (name) => {
  const [names, unexported, undescribed] = BUDGETS[name] ?? [0, 0, 0];
  const own = all.filter((one) => one.package === name);
  const list = own.map((one) => one.name).sort();
  expect(list.length, `\n${list.join(' ')}\n`).toBeLessThanOrEqual(names);

  const missing = own.flatMap((one) => one.unexported.map((type) => `${type} of ${one.name}`));
  expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(unexported);

  const bare = own.filter((one) => one.isType && !one.isDocumented).map((one) => one.name);
  expect(bare.length, bare.join('\n')).toBeLessThanOrEqual(undescribed);
});
