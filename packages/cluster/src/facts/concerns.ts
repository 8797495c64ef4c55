// Conditions of a cluster that block new nodes, reported before anything is built.

import type { Diagnostic } from '@coreiso/diagnostics';
import { checkArgument } from '@coreiso/peers/arguments';
import { certificateDates, pemBlocks } from '@coreiso/peers/der';
import { secretText } from '@coreiso/peers/secret-text';
import { type CODES, clusterDiagnostic } from '../codes.ts';
import { type KubeObject, memberOf, nameOf, objectsOf, textOf } from '../objects.ts';
import type { ClusterReading } from './read-cluster.ts';

const WEEK = 7 * 24 * 60 * 60_000;

/**
 * Warnings about the state of a cluster. The checks of the config find names and addresses that nodes already use.
 *
 * @example
 * const reading = await readCluster(cluster);
 * for (const { message, help } of clusterConcerns(reading)) console.warn(message, help);
 */
export function clusterConcerns(reading: ClusterReading, now: number = Date.now()): readonly Diagnostic[] {
  checkArgument('reading.objects', reading?.objects, 'array');
  const { objects } = reading;
  const of = (kind: string) => objects.filter((object) => textOf(object, 'kind') === kind);
  return [
    ...of('ClusterVersion').flatMap(upgrades),
    ...of('MachineConfigPool').flatMap(poolFindings),
    ...of('Secret').flatMap((secret) => serverExpiry(secret, now)),
    ...machineSets(of('MachineSet')),
  ];
}

function warning(code: keyof typeof CODES, message: string, help: string): Diagnostic {
  return clusterDiagnostic({ severity: 'warning', code: `cluster/${code}`, message, help });
}

function conditionOf(object: KubeObject, type: string): KubeObject | undefined {
  return objectsOf(object, 'status', 'conditions').find(
    (condition) => textOf(condition, 'type') === type && textOf(condition, 'status') === 'True',
  );
}

function upgrades(version: KubeObject): Diagnostic[] {
  const [newest] = objectsOf(version, 'status', 'history');
  if (newest === undefined || textOf(newest, 'state') === 'Completed') return [];
  const message = `an upgrade to ${textOf(newest, 'version')} is under way; new nodes get that version, which may still be incomplete`;
  return [
    warning('upgrade', message, 'Wait until `oc get clusterversion` says that it is available and not progressing.'),
  ];
}

function poolFindings(pool: KubeObject): Diagnostic[] {
  const name = nameOf(pool);
  const found: Diagnostic[] = [];
  if (memberOf(pool, 'spec', 'paused') === true) {
    const help = `Unpause it first: oc patch mcp/${name} --type merge -p '{"spec":{"paused":false}}'`;
    found.push(
      warning('pool-paused', `the machine config pool ${name} is paused; a new node gets an old configuration`, help),
    );
  }
  const degraded = conditionOf(pool, 'Degraded');
  if (degraded !== undefined) {
    const why = textOf(degraded, 'message');
    found.push(
      warning(
        'pool-degraded',
        `the machine config pool ${name} is degraded${why === '' ? '' : `: ${why}`}`,
        `See \`oc describe mcp/${name}\`.`,
      ),
    );
  }
  return found;
}

/** New nodes fetch their config from a server whose certificate expires. */
function serverExpiry(secret: KubeObject, now: number): Diagnostic[] {
  if (nameOf(secret) !== 'machine-config-server-tls') return [];
  const certificate = pemBlocks(secretText(secret, 'tls.crt') ?? '').find(({ label }) => label === 'CERTIFICATE');
  const end = certificate?.content && certificateDates(certificate.content)?.notAfter.getTime();
  if (end === undefined || end - now > WEEK) return [];
  const when = new Date(end).toISOString();
  const message = `the certificate of the machine config server ${end < now ? 'expired' : 'expires'} on ${when}; nodes cannot fetch their config after that`;
  return [warning('server-certificate', message, 'Rotate it before you boot nodes.')];
}

/** In clusters with machine sets, approval is automatic for their machines and for no others. */
function machineSets(sets: readonly KubeObject[]): Diagnostic[] {
  if (sets.length === 0) return [];
  const message =
    'this cluster creates its own machines; a node added by an image has no Machine, so you must approve its certificate requests';
  return [
    clusterDiagnostic({
      severity: 'info',
      code: 'cluster/machine-sets',
      message,
      help: 'Use `coreiso nodes approve`.',
    }),
  ];
}
