/** Deletes the dependents of deleted objects. */
export { garbageCollector } from './garbage-collector.ts';
