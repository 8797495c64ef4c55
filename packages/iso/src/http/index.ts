export { type Answer, type PlainRequest, responseOf } from './answer.ts';
export { entityTag } from './entity-tag.ts';
export {
  createFileServer,
  type Delivery,
  type FileServer,
  type FileServerAnswer,
  type FileServerOptions,
  type ServedFile,
} from './file-server.ts';
export { type HttpSource, type HttpSourceOptions, httpSource } from './http-source.ts';
export { type RangeAnswer, type RangeRequest, type RangeResponseOptions, rangeResponse } from './range-response.ts';
export type { Run } from './readings.ts';
export type { Fetch } from './redirects.ts';
