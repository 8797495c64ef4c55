export { type Answer, type PlainRequest, responseOf } from './answer.ts';
export { entityTag } from './entity-tag.ts';
export { type HttpSource, type HttpSourceOptions, httpSource } from './http-source.ts';
export { type RangeAnswer, type RangeRequest, type RangeResponseOptions, rangeResponse } from './range-response.ts';
export type { Run } from './readings.ts';
export type { Fetch } from './redirects.ts';
export { createSite, type Delivery, type Site, type SiteAnswer, type SiteFile, type SiteOptions } from './site.ts';
