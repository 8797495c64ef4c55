export { type HttpSource, type HttpSourceOptions, httpSource } from './http-source.ts';
export type { Fetch } from './origin.ts';
export { type RangeRequest, type RangeResponseOptions, rangeResponse } from './range-response.ts';
