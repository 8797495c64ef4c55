import { addressBits, type IpAddress, networkOf, parseAddress } from '../ip.ts';

/** Networks by prefix length: finding out whether one holds an address costs a look-up per length, not per network. */
export class PrefixTable {
  readonly #networks = new Map<string, Set<bigint>>();
  readonly #lengths = { 4: new Set<number>(), 6: new Set<number>() };

  add(ip: string, length: number): void {
    const address = parseAddress(ip);
    if (address === undefined || length > addressBits(address.version)) return;
    const key = `${address.version}/${length}`;
    const known = this.#networks.get(key) ?? new Set();
    this.#networks.set(key, known.add(networkOf(address, length).value));
    this.#lengths[address.version].add(length);
  }

  /** `198.51.100.0/24` and the like. */
  addNetwork(network: string): void {
    const [ip = '', length] = network.split('/');
    this.add(ip, Number(length));
  }

  holds(address: IpAddress): boolean {
    for (const length of this.#lengths[address.version]) {
      if (this.#networks.get(`${address.version}/${length}`)?.has(networkOf(address, length).value)) return true;
    }
    return false;
  }
}
