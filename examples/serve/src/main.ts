// node dist/main.js: settings come from the environment, as a Deployment gives them.
import { readFile } from 'node:fs/promises';
import { readPlan } from './plan-folder.ts';
import { createService } from './service.ts';

const { COREISO_BASE: base, COREISO_BASE_SHA256: sha256, COREISO_PLAN: folder = '/etc/coreiso/plan' } = process.env;
const { COREISO_PREVIOUS_PLAN: previousFolder = '/etc/coreiso/previous', COREISO_SECRET_FILE: secretFile } =
  process.env;
const port = Number(process.env['PORT'] ?? 8080);

if (base === undefined) throw new Error('COREISO_BASE: the path or the address of the live image is needed');
const plan = await readPlan(folder);
if (plan === undefined) throw new Error(`${folder}: there is no nodes-config.yaml`);
const previous = await readPlan(previousFolder);
const secret = secretFile === undefined ? undefined : (await readFile(secretFile, 'utf8')).trim();

const service = createService({
  base,
  plan,
  baseSha256: sha256,
  previous,
  secret,
});
service.server.listen(port, process.env['HOST'] ?? '0.0.0.0', () => console.log(`listening on ${port}`));
process.once('SIGTERM', () => void service.drain());
const { paths } = await service.ready;
console.log(`ready: ${paths.length} files`);
