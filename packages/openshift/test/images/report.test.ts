import { expect, test } from 'vitest';
import { ReportWriter } from '../../src/images/report.ts';

test('a report calls its stages as upstream does, and tells when each began and ended', async () => {
  let minute = 0;
  const report = new ReportWriter(() => new Date(Date.UTC(2026, 0, 2, 3, minute++, 4)));
  const ids = [
    'add-nodes-cluster-inspection',
    'create-manifest',
    'ignition',
    'fetch-base-iso',
    'generate-iso',
  ] as const;
  for (const id of ids) await report.stage(id, () => 7, id === 'ignition' ? (value) => ({ value }) : undefined);
  const begun = new Date(Date.UTC(2026, 0, 2, 4));
  const told = report.finish(undefined, { id: 'generate-pxe', begun });
  expect(told).toMatchObject({
    id: 'report-addnodes-202601020300',
    start_time: '2026-01-02T03:00:04.000Z',
    end_time: '2026-01-02T03:12:04.000Z',
    result: { exit_code: 0 },
  });
  expect(told).not.toHaveProperty('status');
  expect(told.stages.map(({ description }) => description)).toEqual([
    'Gathering additional information from the target cluster',
    'Creating internal configuration manifests',
    'Rendering ISO ignition',
    'Retrieving the base ISO image',
    'Assembling ISO image',
    'Assembling PXE files',
  ]);
  expect(told.stages.map(({ result }) => result)).toEqual([
    undefined,
    undefined,
    '{"value":7}',
    undefined,
    undefined,
    undefined,
  ]);
  expect(told.stages[1]).toMatchObject({
    start_time: '2026-01-02T03:03:04.000Z',
    end_time: '2026-01-02T03:04:04.000Z',
  });
  expect(told.stages.at(-1)).toMatchObject({ id: 'generate-pxe', start_time: '2026-01-02T04:00:00.000Z' });
});

test('a report of machines that tell how far they are says where', () => {
  const status = { port: 8090, token: 'secret' };
  expect(new ReportWriter(() => new Date(0)).finish(status)).toMatchObject({ status, stages: [] });
});
