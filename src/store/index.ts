/**
 * Objects over bytes: one `ObjectStore` per stored type turns storage entries into encoded objects with their version, answers
 * reads from memory and joins past and live events into one stream. What an object means, who may change it and how is
 * not known here.
 */

export { RecentBytes } from '../codec/recent-bytes.ts';
export { CachedObjectStore } from './cached-object-store.ts';
export { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
export { ExpiringObjects } from './expiring-objects.ts';
export { type Allocate, joinItems, type ObjectRun } from './object-run.ts';
export { isWholePrefix, type ObjectIndex, type ObjectScope, selects } from './object-scope.ts';
export type {
  Decide,
  Decision,
  ListResult,
  ObjectEvent,
  ObjectStore,
  ObjectWatch,
  Outcome,
  UpdateOptions,
} from './object-store.ts';
export { StoredObject, type ValuesOf } from './stored-object.ts';
