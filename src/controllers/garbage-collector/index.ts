/** Takes away what belonged to objects that are gone. */
export { garbageCollector } from './garbage-collector.ts';
