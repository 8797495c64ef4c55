import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Unit } from '@coreiso/ignition';
import { expect, test } from 'vitest';
import { describeWith, run } from '../../../../test/support/tools.ts';
import { parseNodesConfigOrThrow } from '../../../nodes-config/src/documents/nodes-config.ts';
import type { ClusterFacts } from '../../../nodes-config/src/facts/facts.ts';
import { liveConfig } from '../../src/join/live-config.ts';
import { planNodes } from '../../src/join/plan-nodes.ts';
import type { NodesPlanOptions } from '../../src/join/strategy.ts';
import { HOST_UNIT, HOSTNAME_UNIT, JOIN_UNIT, NETWORK_UNIT, STATUS_SOCKET, STATUS_UNIT } from '../../src/join/units.ts';

const CLUSTER: ClusterFacts = {
  workerUserData: {
    ignition: { version: '3.2.0', config: { merge: [{ source: 'https://api-int.test:22623/config/worker' }] } },
  },
};
const HOSTS = parseNodesConfigOrThrow(`hosts:
- hostname: w
  interfaces: [{ name: eth0, macAddress: "52:54:00:00:00:01" }]
  networkConfig: { interfaces: [{ name: eth0, type: ethernet, state: up }] }
`);

const unitsOf = (options: NodesPlanOptions, live?: Parameters<typeof liveConfig>[1]): readonly Unit[] =>
  liveConfig(planNodes(HOSTS, { cluster: CLUSTER, ...options }), live).systemd?.units ?? [];

/** Every set of units that a live system may have. */
const SETS: Readonly<Record<string, readonly Unit[]>> = {
  'a machine that only gets its network': unitsOf({ join: 'network-only' }),
  'a machine whose profiles are in place': unitsOf({ join: 'network-only' }, { profiles: 'in-place' }),
  'a machine that joins': unitsOf({ join: 'direct' }),
  'a machine that joins and tells how far it is': unitsOf({ join: 'direct', statusToken: 'a'.repeat(32) }),
};

describeWith(['systemd-analyze'], 'systemd', () => {
  test.each(Object.entries(SETS))('accepts the units of %s', (_, units) => {
    const folder = mkdtempSync(join(tmpdir(), 'coreiso-units-'));
    try {
      const ours = units.filter(({ contents }) => contents != null);
      expect(ours.length).toBeGreaterThan(1);
      const paths = ours.map(({ name, contents }) => {
        const script = /^ExecStart=-?\/usr\/local\/bin\/(.*)$/m.exec(contents ?? '')?.[1];
        if (script !== undefined) writeFileSync(join(folder, script), '#!/bin/sh\n', { mode: 0o755 });
        const path = join(folder, name);
        writeFileSync(path, (contents ?? '').replaceAll('/usr/local/bin/', `${folder}/`));
        return path;
      });
      const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
      const { status, stderr } = run('systemd-analyze', ['verify', '--man=no', ...paths], { env });
      expect(stderr.split('\n').filter((line) => line.includes(folder) || line.includes('coreiso'))).toEqual([]);
      expect(status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('identifies a machine before all units that need its identity', () => {
  for (const unit of [HOSTNAME_UNIT, NETWORK_UNIT, JOIN_UNIT]) {
    expect(unit).toContain('Wants=coreiso-host.service\nAfter=coreiso-host.service\n');
  }
  for (const unit of [HOST_UNIT, HOSTNAME_UNIT, NETWORK_UNIT]) {
    expect(unit).toMatch(/^Before=network-pre\.target NetworkManager\.service /m);
  }
});

test('retries the join, but not after errors that a retry cannot help', () => {
  expect(JOIN_UNIT).toMatch(/^Restart=on-failure\nRestartSec=60\nRestartPreventExitStatus=3 4$/m);
  expect(JOIN_UNIT).toContain('StartLimitIntervalSec=0\n');
});

test('waits for certificates and multipath before the join, and starts nothing that is on disks', () => {
  expect(JOIN_UNIT).toMatch(/^Wants=.*\bcoreos-installer-disable-device-auto-activation\.service$/m);
  expect(JOIN_UNIT).toMatch(/^After=.*\bcoreos-update-ca-trust\.service multipathd\.service$/m);
});

test('limits the connections of the status port in number and duration, and never closes it permanently', () => {
  for (const line of ['ListenStream=8090', 'Accept=yes', 'MaxConnections=8', 'TriggerLimitIntervalSec=0']) {
    expect(STATUS_SOCKET).toContain(`\n${line}\n`);
  }
  for (const line of [
    'RuntimeMaxSec=5',
    'DynamicUser=yes',
    'CapabilityBoundingSet=',
    'CollectMode=inactive-or-failed',
  ]) {
    expect(STATUS_UNIT).toContain(`\n${line}\n`);
  }
  const starting = /^SetCredential=status:(.*)$/m.exec(STATUS_UNIT)?.[1];
  expect(JSON.parse(starting ?? '')).toMatchObject({ version: 1, stage: 'starting', checks: [] });
});
