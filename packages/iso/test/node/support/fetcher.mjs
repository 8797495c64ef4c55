// A process that downloads into a cache. Arguments: folder of the compiled package, cache, address, digest.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, cache, url, sha256] = process.argv;
const { baseCache } = await import(pathToFileURL(join(folder, 'node/base-cache.js')).href);
const { path } = await baseCache(cache).download(url, { sha256 });
process.stdout.write(path);
