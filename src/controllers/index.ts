/**
 * What a cluster does by itself. A controller sees the server only through a client; storage and registry are not known
 * here.
 */
export type { Controller } from './controller.ts';
export { garbageCollector } from './garbage-collector/index.ts';
export { namespaceDeletion } from './namespace-deletion.ts';
