import type { JoinStrategy } from './strategy.ts';

/** Writes the worker's system to disk without any service in between. */
export const direct: JoinStrategy = { name: 'direct', needs: ['workerUserData'], parts: () => ({}) };
