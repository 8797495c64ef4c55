import { expect, test } from 'vitest';
import { describeWithStore } from '../../../../test/support/stores.ts';
import { s3Sink } from '../../src/s3/index.ts';
import { baseFile, collect, imagesOf, openBase, planOf } from '../sinks/support.ts';
import { objects, storeTests, unfinished } from './store-suite.ts';

describeWithStore('ceph', 'a fleet on Ceph', () => {
  const { setup } = storeTests('ceph');

  test('reports a full quota with a code, and leaves no partial object', async () => {
    const { engine, client, bucket, prefix } = setup();
    const base = await openBase(await baseFile(24 << 20));
    await collect(s3Sink(client, { bucket, prefix: prefix() }), await imagesOf(base, planOf(1)));
    await engine.quota(1);
    const writing = collect(s3Sink(client, { bucket, prefix: prefix() }), await imagesOf(base, planOf(3)));
    await expect(writing).rejects.toMatchObject({ code: 'OPENSHIFT_STORE_FULL' });
    expect((await objects(setup())).map(({ key }) => key)).toEqual([`${prefix()}worker-0.x86_64.iso`]);
    expect(await unfinished(setup())).toEqual([]);
    await engine.quota(0);
    await collect(s3Sink(client, { bucket, prefix: prefix() }), await imagesOf(base, planOf(3)));
    expect(await objects(setup())).toHaveLength(3);
  });
});
