import { expect, test } from 'vitest';
import { ReportWriter } from '../../src/images/report.ts';

test('names its stages as upstream does, with start and end times', async () => {
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
  minute = 60;
  report.begin('generate-pxe');
  const told = report.finish();
  expect(told).toMatchObject({
    id: 'report-addnodes-202601020300',
    start_time: '2026-01-02T03:00:04.000Z',
    end_time: '2026-01-02T04:02:04.000Z',
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
  expect(told.stages.at(-1)).toMatchObject({ id: 'generate-pxe', start_time: '2026-01-02T04:00:04.000Z' });
});

test('has the port and token of machines that report their status', () => {
  const status = { port: 8090, token: 'secret' };
  expect(new ReportWriter(() => new Date(0)).finish(status)).toMatchObject({ status, stages: [] });
});

test('ends with the stage that failed, and its sub-stages', async () => {
  let minute = 0;
  const report = new ReportWriter(() => new Date(Date.UTC(2026, 0, 2, 3, minute++)));
  await report.stage('add-nodes-cluster-inspection', () => 7);
  report.begin('fetch-base-iso');
  report.begin('fetch-base-iso.extract-image');
  report.begin('fetch-base-iso.download-image');
  const { stages, result } = report.fail('no such host', 'cannot fetch a: no such host');
  expect(result).toEqual({
    exit_code: 1,
    error_message: 'no such host',
    detailed_error_message: 'cannot fetch a: no such host',
  });
  expect(stages.map(({ id }) => id)).toEqual(['add-nodes-cluster-inspection', 'fetch-base-iso']);
  expect(stages[1]?.sub_stages).toEqual([
    {
      id: 'fetch-base-iso.extract-image',
      description: 'Extracting base image from release payload',
      start_time: '2026-01-02T03:04:00.000Z',
      end_time: '2026-01-02T03:05:00.000Z',
    },
    expect.objectContaining({ id: 'fetch-base-iso.download-image', end_time: stages[1]?.end_time }),
  ]);
});

test('continues an existing stage without a second one of its name', async () => {
  const report = new ReportWriter(() => new Date(0));
  report.begin('fetch-base-iso');
  await report.stage('ignition', () => 1);
  await report.stage(
    'fetch-base-iso',
    () => 2,
    (value) => ({ value }),
  );
  expect(report.finish().stages.map(({ id, result }) => [id, result])).toEqual([
    ['fetch-base-iso', '{"value":2}'],
    ['ignition', undefined],
  ]);
  expect(() => report.begin('lunch')).toThrow('id must be one of add-nodes-cluster-inspection');
});

test.each<[work: (report: ReportWriter) => unknown, told: string]>([
  [(report) => report.begin(7 as never), 'id must be a string, not a number'],
  [(report) => report.fail(7 as never, ''), 'message must be a string, not a number'],
  [(report) => report.fail('', 7 as never), 'detail must be a string, not a number'],
  [() => new ReportWriter(7 as never), 'now must be a function that returns a Date'],
])('names the misused parameter: %s', (work, told) => {
  expect(() => work(new ReportWriter(() => new Date(0)))).toThrow(told);
});
