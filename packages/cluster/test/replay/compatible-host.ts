// The transcript of `oc adm node-image monitor`: its lines about a host, poll by poll, including repetitions. It decides nothing; people
// should use `monitor.ts`.
import { canonicalAddressAsGo } from '@coreiso/peers/ip';
import { type CertificateRequest, CLIENT_SIGNER, SERVING_SIGNER } from '../../src/csr/certificate-request.ts';
import type { HostObservation } from '../../src/monitor/observe.ts';
import { type KubeObject, nameOf, objectsOf, textOf } from '../../src/objects.ts';
import type { ServiceIdentity } from '../../src/service/client.ts';
import { ServiceStatus } from '../../src/service/status.ts';
import type { Line } from '../../src/transcript.ts';

/** A line of the transcript; trace is printed as info there, and lines without a node bypass its queue. */
export interface TranscriptLine extends Line {
  readonly node?: string;
  readonly queuedAs?: 'trace';
}

/** Follows one address as the peer does. */
export class CompatibleHost {
  readonly #address: string;
  readonly #names: readonly string[];
  readonly #service: ServiceStatus;
  readonly #told = new Set<'service' | 'kubelet' | 'first' | 'second' | 'joined'>();
  #lines: TranscriptLine[] = [];

  /** `names` are the results of reverse DNS for the address. */
  constructor(address: string, names: readonly string[]) {
    this.#address = address;
    this.#names = names.map((name) => name.replace(/\..*$/s, ''));
    this.#service = new ServiceStatus({ subject: 'host', statusPrefix: `Node ${address}: `, mode: 'compatible' });
  }

  get identity(): ServiceIdentity {
    return this.#service.identity;
  }

  /** The lines before the first poll. */
  begin(): readonly TranscriptLine[] {
    if (this.#names.length === 0) {
      this.#say('info', `Cannot resolve IP address ${this.#address} to a hostname. Skipping checks for pending CSRs.`);
    }
    return this.#take();
  }

  /** The lines after a poll, and whether the host needs no other. */
  look(seen: HostObservation, now: number): { readonly lines: readonly TranscriptLine[]; readonly isReady: boolean } {
    if (seen.service.infraEnvs.ok) this.#once('service', 'Assisted Service API is available');
    this.#kubelet(seen);
    if (this.#told.has('kubelet')) {
      this.#pending('first', CLIENT_SIGNER, seen);
      this.#pending('second', SERVING_SIGNER, seen);
    }
    const isReady = this.#node(seen);
    if (isReady) this.#ready(seen);
    else if (seen.service.infraEnvs.ok) this.#status(seen, now);
    return { lines: this.#take(), isReady };
  }

  #kubelet({ kubelet }: HostObservation): void {
    if (this.#told.has('kubelet')) return;
    this.#say('debug', kubelet.detail);
    if (kubelet.isRunning) this.#once('kubelet', 'Kubelet is running');
  }

  #pending(kind: 'first' | 'second', signer: string, seen: HostObservation): void {
    if (this.#told.has(kind) || this.#matching(signer, seen).length === 0) return;
    this.#once(kind, `${kind === 'first' ? 'First' : 'Second'} CSR Pending approval`);
    // The peer polls twice, and reports twice that it cannot read.
    this.#sayRequests(this.#matching(signer, seen));
  }

  #matching(signer: string, { requests }: HostObservation): readonly CertificateRequest[] {
    if (this.#names.length === 0) return [];
    if (!requests.ok) {
      this.#say('debug', `Error calling listCSRs(): ${requests.reason}`);
      this.#say('info', 'Cannot retrieve CSRs from Kube API. Skipping checks for pending CSRs');
      return [];
    }
    return requests.value.filter((request) => {
      if (!request.isPending || request.signer !== signer) return false;
      if (signer === SERVING_SIGNER) return this.#isNamedIn(request.username);
      if (request.isPem && request.content === undefined) {
        this.#say('warning', 'error in x509.ParseCertificateRequest(csrDER)');
      }
      return request.content !== undefined && this.#isNamedIn(request.content.subject);
    });
  }

  /** By substring, as the peer compares: `worker-1` is found in `worker-10`. */
  #isNamedIn(text: string): boolean {
    return this.#names.some((name) => text.includes(name));
  }

  #sayRequests(requests: readonly CertificateRequest[]): void {
    for (const { name, signer, username } of requests) {
      this.#say(
        'info',
        `CSR ${name} with signerName ${signer} and username ${username} is Pending and awaiting approval`,
      );
    }
  }

  #node({ nodes }: HostObservation): boolean {
    if (!nodes.ok) {
      this.#say('debug', `Error getting node list ${nodes.reason}`);
      return false;
    }
    const address = canonicalAddressAsGo(this.#address) ?? this.#address;
    // The last of several that claim the address.
    const node = nodes.value.findLast((one) => hasInternalAddress(one, address));
    if (node === undefined) {
      this.#say('debug', 'Node has not joined cluster');
      return false;
    }
    const isReady = readiness(node);
    this.#say('debug', `${nameOf(node)} has joined cluster`);
    this.#say('debug', `${nameOf(node)} is ${isReady ? '' : 'not '}Ready`);
    this.#once('joined', 'Node joined cluster');
    return isReady;
  }

  #ready(seen: HostObservation): void {
    const pending = this.#matching(SERVING_SIGNER, seen);
    const warning =
      ' but has CSRs pending approval. Until all CSRs are approved, the node may not be fully functional.';
    this.#say('info', `Node is Ready${pending.length === 0 ? '' : warning}`);
    this.#sayRequests(pending);
  }

  #status({ service }: HostObservation, now: number): void {
    const { lines, cause } = this.#service.read(service, now);
    for (const { level, message, bare } of lines) {
      if (bare) this.#lines.push({ level, message });
      else this.#say(level, message);
    }
    if (cause !== undefined) {
      this.#say('warning', `Error fetching status from assisted-service for node ${this.#address}: ${cause}`);
    }
  }

  #once(what: 'service' | 'kubelet' | 'first' | 'second' | 'joined', message: string): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#say('info', message);
  }

  #say(level: Line['level'], message: string): void {
    const line = { node: this.#address, message: `Node ${this.#address}: ${message}` };
    this.#lines.push(level === 'trace' ? { ...line, level: 'info', queuedAs: 'trace' } : { ...line, level });
  }

  #take(): readonly TranscriptLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

/** Whether the node has that internal address. */
function hasInternalAddress(node: KubeObject, address: string): boolean {
  return objectsOf(node, 'status', 'addresses').some(
    (entry) => textOf(entry, 'type') === 'InternalIP' && textOf(entry, 'address') === address,
  );
}

function readiness(node: KubeObject): boolean {
  return objectsOf(node, 'status', 'conditions').some(
    (condition) => textOf(condition, 'type') === 'Ready' && textOf(condition, 'status') === 'True',
  );
}
