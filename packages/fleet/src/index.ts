export { FleetError, type FleetErrorCode, type FleetErrorOptions } from './errors.ts';
export { type Fleet, type FleetImage, type FleetOptions, fleet } from './fleet.ts';
export { fleetSite } from './http.ts';
export type { FleetSink, Stored, WriteOptions } from './sink.ts';
