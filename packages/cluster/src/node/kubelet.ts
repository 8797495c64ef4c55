// Whether a kubelet or another port listens.

import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { checkArgument } from '@coreiso/peers/arguments';
import { onAbort } from '../clock.ts';

const KUBELET_PORT = 10_250;
const PROBE_TIMEOUT = 5000;

/**
 * Whether a kubelet runs: a server that answers with TLS, either with a certificate or with the alert of a node that has none
 * yet.
 *
 * @example
 * const { isRunning, detail } = await probeKubelet('192.0.2.20');
 */
export function probeKubelet(
  address: string,
  signal?: AbortSignal,
  port: number = KUBELET_PORT,
): Promise<{ readonly isRunning: boolean; readonly detail: string }> {
  checkArgument('address', address, 'text');
  requireSignal(signal);
  return new Promise((done) => {
    const socket = connect({
      host: address.replace(/^\[|\]$/g, ''),
      port,
      rejectUnauthorized: false,
      timeout: PROBE_TIMEOUT,
    });
    const finish = (isRunning: boolean, words: string) => {
      release?.();
      socket.destroy();
      done({ isRunning, detail: `kubelet http err: ${words}` });
    };
    const release = signal && onAbort(signal, () => finish(false, 'cancelled'));
    if (signal?.aborted) finish(false, 'cancelled');
    socket.once('secureConnect', () => finish(true, 'a certificate was shown'));
    socket.once('timeout', () => finish(false, 'no answer'));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(isAlert(error), error.message));
  });
}

/** OpenSSL's codes for alerts that the peer sent. */
function isAlert({ code = '' }: NodeJS.ErrnoException): boolean {
  return /^ERR_SSL_(TLSV1|SSLV3)_ALERT|ALERT_/.test(code);
}

/**
 * Why a TCP port is unreachable; undefined if it answers.
 *
 * @example
 * const problem = await probePort('192.0.2.10', 22, AbortSignal.timeout(1000));
 */
export function probePort(address: string, port: number, signal?: AbortSignal): Promise<string | undefined> {
  checkArgument('address', address, 'text');
  requireSignal(signal);
  return new Promise((done) => {
    const socket = connectPlain({ host: address, port, timeout: PROBE_TIMEOUT });
    const finish = (problem: string | undefined) => {
      release?.();
      socket.destroy();
      done(problem);
    };
    const release = signal && onAbort(signal, () => finish('cancelled'));
    if (signal?.aborted) finish('cancelled');
    socket.once('connect', () => finish(undefined));
    socket.once('timeout', () => finish('no answer'));
    socket.on('error', (error) => finish(error.message));
  });
}

/** Keeps an error of a socket without listeners from ending the whole program. */
function requireSignal(signal: unknown): void {
  if (signal !== undefined) checkArgument('signal', signal, 'signal');
}
