import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { probeKubelet, probePort } from '../../src/node/kubelet.ts';

/** A local port that accepts connections, and closes each at once. */
async function openPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('has no problem with a port that answers, and reports that of another one', async () => {
  expect(await probePort('127.0.0.1', await openPort())).toBeUndefined();
  expect(await probePort('127.0.0.1', await closedPort())).toContain('ECONNREFUSED');
});

test('does not take a server without TLS for a kubelet', async () => {
  expect(await probeKubelet('127.0.0.1', undefined, await openPort())).toMatchObject({ isRunning: false });
  expect(await probeKubelet('[127.0.0.1]', undefined, await closedPort())).toMatchObject({ isRunning: false });
});

test('probes nothing after an abort', async () => {
  const signal = AbortSignal.abort();
  expect(await probePort('127.0.0.1', await openPort(), signal)).toBe('cancelled');
  expect(await probeKubelet('127.0.0.1', signal, await openPort())).toMatchObject({ isRunning: false });
});

describe('misuse is reported before anything is opened', () => {
  test.each([
    ['address', [7, 1]],
    ['signal', ['127.0.0.1', 1, {}]],
  ])('probePort: %s', (name, args) => {
    expect(() => Reflect.apply(probePort, undefined, args)).toThrow(new RegExp(`^${name} must be`));
  });

  test.each([
    ['address', [7]],
    ['signal', ['127.0.0.1', {}, 1]],
  ])('probeKubelet: %s', (name, args) => {
    expect(() => Reflect.apply(probeKubelet, undefined, args)).toThrow(new RegExp(`^${name} must be`));
  });
});
