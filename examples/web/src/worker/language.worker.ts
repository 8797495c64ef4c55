// The worker that checks texts while they are typed.
import { type MessagePeer, serveWorker, Workspace } from '@coreiso/language';

serveWorker(self as unknown as MessagePeer, new Workspace());
