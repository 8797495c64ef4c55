// Repairs values that are valid alone but do not fit the rest of the config: interface names, the rendezvous address.
import { closest, type Node, type Path } from '@coreiso/diagnostics';
import { isLikelyTypoOf, REFERS } from '../words.ts';
import type { Proposal } from './proposal.ts';
import { change, nodeOf, type Subject } from './tree-repairs.ts';

/** Fixes for findings that concern more than one place of a config. */
export function* sanityRepairs(subject: Subject, code: string, path: Path): Generator<Proposal> {
  if (code === 'nodes-config/interface-unmapped' || code === 'nodes-config/name-not-in-network')
    yield* interfaceRenames(subject, path);
  const isOfRendezvous = path.length === 1 && path[0] === 'rendezvousIP';
  if (isOfRendezvous && (code === 'nodes-config/rendezvous-on-no-host' || code === 'nodes-config/virtual-address'))
    yield* hostAddresses(subject, path);
}

/** Renames the interface with almost the name in the table, everywhere in the host's network. */
function* interfaceRenames(subject: Subject, path: Path): Generator<Proposal> {
  const network = path.findIndex((step) => step === 'networkConfig' || step === 'config');
  const host = path.slice(0, network === -1 ? path.lastIndexOf('interfaces') : network);
  const config = [...host, nodeOf(subject, [...host, 'networkConfig']) === undefined ? 'config' : 'networkConfig'];
  const written = nodeOf(subject, path);
  const root = nodeOf(subject, config);
  if (written?.kind !== 'scalar' || root === undefined) return;
  const listed = namesOf(subject, [...host, 'interfaces']);
  const declared = namesOf(subject, [...config, 'interfaces']);
  const others =
    network === -1 ? declared.filter((one) => !listed.includes(one)) : listed.filter((one) => !declared.includes(one));
  const near = closest(written.text, others);
  if (near === undefined) return;
  const [from, to] = network === -1 ? [near, written.text] : [written.text, near];
  const title = `Rename \`${from}\` to \`${to}\``;
  const edits = placesOf(root, from, config).flatMap((place) =>
    change(subject, title, { do: 'set', path: place, value: to }).flatMap((made) => made.edits),
  );
  yield { title, edits, certain: isLikelyTypoOf(subject.document.root, from, to) };
}

function namesOf(subject: Subject, path: Path): readonly string[] {
  return itemsOf(subject, path).flatMap((_, index) => {
    const name = nodeOf(subject, [...path, index, 'name']);
    return name?.kind === 'scalar' && name.text !== '' ? [name.text] : [];
  });
}

function itemsOf(subject: Subject, path: Path): readonly Node[] {
  const list = nodeOf(subject, path);
  return list?.kind === 'sequence' ? list.items : [];
}

/** The places where a network has this interface name. */
function placesOf(node: Node, name: string, path: Path): readonly Path[] {
  if (node.kind === 'sequence') return node.items.flatMap((item, index) => placesOf(item, name, [...path, index]));
  if (node.kind === 'mapping')
    return node.entries.flatMap(({ key, value }) =>
      key.kind === 'scalar' ? placesOf(value, name, [...path, key.text]) : [],
    );
  const key = String(path.findLast((step) => typeof step === 'string') ?? '');
  return node.text === name && REFERS.test(key) ? [path] : [];
}

/** Only the author knows which host begins the installation: offers the addresses of all hosts but workers. */
function* hostAddresses(subject: Subject, path: Path): Generator<Proposal> {
  const written = nodeOf(subject, path);
  const addresses = itemsOf(subject, ['hosts']).flatMap((_, index) => {
    const role = nodeOf(subject, ['hosts', index, 'role']);
    return role?.kind === 'scalar' && role.text === 'worker'
      ? []
      : addressesOf(subject, ['hosts', index, 'networkConfig']);
  });
  const near = written?.kind === 'scalar' ? closest(written.text, addresses) : undefined;
  for (const value of new Set([...(near === undefined ? [] : [near]), ...addresses]))
    yield* change(subject, `Write \`${value}\``, { do: 'set', path, value }, false);
}

function addressesOf(subject: Subject, network: Path): readonly string[] {
  const interfaces = [...network, 'interfaces'];
  return itemsOf(subject, interfaces).flatMap((_, index) =>
    ['ipv4', 'ipv6'].flatMap((family) => {
      const list = [...interfaces, index, family, 'address'];
      return itemsOf(subject, list).flatMap((__, at) => {
        const ip = nodeOf(subject, [...list, at, 'ip']);
        return ip?.kind === 'scalar' && ip.text !== '' ? [ip.text] : [];
      });
    }),
  );
}
