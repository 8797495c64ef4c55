import type * as Diagnostics from '@coreiso/diagnostics';
import { parseAgentConfig, parseInstallConfig, parseInstallFiles } from '@coreiso/nodes-config';
import { beforeEach, expect, test, vi } from 'vitest';

const parsed: string[] = [];

vi.mock('@coreiso/diagnostics', async (original) => {
  const real = await original<typeof Diagnostics>();
  const parseYaml: typeof real.parseYaml = (text, options) => {
    parsed.push(text);
    return real.parseYaml(text, options);
  };
  return { ...real, parseYaml };
});

const HOSTS = 'hosts: [{name: m, role: master, bootMACAddress: "52:54:00:00:00:01"}]';
const INSTALL = `apiVersion: v1\nmetadata: {name: reef}\nplatform: {baremetal: {${HOSTS}}}\n`;
const AGENT = 'apiVersion: v1beta1\nrendezvousIP: 192.0.2.10\n';

beforeEach(() => {
  parsed.length = 0;
});

test('the two files of a cluster are parsed once each', () => {
  parseInstallFiles({ installConfig: INSTALL, agentConfig: AGENT });
  expect(parsed).toEqual([INSTALL, AGENT]);
});

test('a file that cannot be read is not tried a second time', () => {
  const broken = 'a: [b';
  parseInstallFiles({ installConfig: broken, agentConfig: AGENT });
  expect(parsed).toEqual([broken, AGENT]);
});

test('parsing one of the files alone reads each text once', () => {
  parseInstallConfig(INSTALL);
  expect(parsed).toEqual([INSTALL]);
  parseAgentConfig(AGENT, { installConfig: INSTALL });
  expect(parsed.slice(1)).toEqual([INSTALL, AGENT]);
});
