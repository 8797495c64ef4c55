// base.html: the same page, with permission to fetch a base from other servers.
import { addressReader, takeProject } from './address.ts';
import { start } from './start.ts';

const context = start(addressReader());
if (context !== undefined) takeProject(context);
