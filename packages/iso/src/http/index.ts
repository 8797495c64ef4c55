export { type Answer, type PlainRequest, responseOf } from './answer.ts';
export { entityTag } from './entity-tag.ts';
export {
  createFileServer,
  type FileServer,
  type FileServerOptions,
  type ServedFile,
} from './file-server.ts';
export { type HttpSource, httpSource } from './http-source.ts';
export { rangeResponse } from './range-response.ts';
export type { Transfer } from './readings.ts';
export type { Fetch, HttpSourceOptions, RemoteOptions } from './remote-options.ts';
