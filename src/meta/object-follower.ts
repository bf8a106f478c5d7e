import type { ResourceObject } from './object.ts';

/**
 * Receives all objects of a type and their changes, to maintain a copy of the state. The objects are shared and must
 * not be changed.
 */
export interface ObjectFollower {
  /** Called before all objects are reported again. The earlier state is void. */
  readonly onReset: () => void;
  /**
   * Parses the document of an object. Also gets the document before the change. Default: the objects are shared with
   * other readers.
   */
  readonly read?: (document: Buffer, previous: Buffer | undefined) => ResourceObject;
  /** Called when all objects have been reported, at first and after each reset. */
  readonly onSynced?: () => void;
  readonly onPut: (object: ResourceObject) => void;
  readonly onRemove: (object: ResourceObject) => void;
  /** Called when following failed. The follower then starts again. */
  readonly onError: (error: Error) => void;
  /** Abort it to stop following. */
  readonly signal: AbortSignal;
}
