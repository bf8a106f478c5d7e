/**
 * Object storage on top of `Storage`. Each stored type has one `ObjectStore`, which converts storage entries to encoded
 * objects with their resource version, serves reads from memory, and joins past and live events into one stream. The
 * meaning of objects, authorization and validation belong to higher layers.
 */

export { RecentBytes } from '../codec/recent-bytes.ts';
export { CachedObjectStore } from './cached-object-store.ts';
export { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
export { ExpiringObjects } from './expiring-objects.ts';
export { objectsIn } from './list-objects.ts';
export { type Allocate, joinItems, type ObjectRun } from './object-run.ts';
export { isWholePrefix, type ObjectIndex, type ObjectScope, selects } from './object-scope.ts';
export type {
  Decide,
  Decision,
  FollowUp,
  ListResult,
  ObjectEvent,
  ObjectStore,
  ObjectWatch,
  Outcome,
  ReadOptions,
  StoreLoad,
  UpdateOptions,
} from './object-store.ts';
export { parseDocument } from './parse-document.ts';
export { readValue } from './read-value.ts';
export { StoreMetrics } from './store-metrics.ts';
export { StoredObject, type ValuesOf } from './stored-object.ts';
