import { join } from 'node:path';
import { makeCredentials } from '@coreiso/openshift';
import type { Action } from '../../frame/command.ts';
import { writeNewFiles } from '../../frame/write-directory.ts';

/** `coreiso agent create certificates`. */
export const createCertificates: Action = async (args, terminal) => {
  const dir = args.optional('dir') ?? '.';
  const { signers, admin, password, passwordHash, validity } = await makeCredentials({ clock: () => new Date() });
  const pairs = Object.entries({ ...signers, 'admin-kubeconfig-client': admin });
  const files = Object.fromEntries([
    ...pairs.flatMap(([name, { certificate, key }]) => [
      [`tls/${name}.crt`, certificate],
      [`tls/${name}.key`, key],
    ]),
    ['tls/kubeadmin-password', password],
    ['tls/kubeadmin-password.hash', passwordHash],
  ]);
  await writeNewFiles(terminal, dir, files, args.has('force') ? 'replace' : 'refuse');
  const paths = Object.keys(files).map((path) => join(dir, path));
  if (args.has('json')) await terminal.printJson({ files: paths, validity });
  else await terminal.showLines(paths);
  return 0;
};
