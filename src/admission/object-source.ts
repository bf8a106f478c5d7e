import type { ObjectFollower } from '../meta/object-follower.ts';
import type { ObjectReader, StoredType } from '../meta/object-reader.ts';

/** Reads the objects of the cluster and reports their changes. */
export interface ObjectSource extends ObjectReader {
  /** Resolves when the existing objects have been reported. Rejects when they cannot be read. */
  follow(type: StoredType, follower: ObjectFollower): Promise<void>;
}

export type FollowOptions = Pick<ObjectFollower, 'onError' | 'signal'>;
