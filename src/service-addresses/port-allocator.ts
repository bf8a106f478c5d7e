import type { MaybePromise } from '../meta/maybe-promise.ts';

/** The owners of node ports. Errors of storage are StatusErrors. */
export interface PortAllocator {
  has(port: number): MaybePromise<boolean>;
  /** Returns why the port cannot be taken, or undefined on success. */
  allocate(port: number, uid: string): MaybePromise<string | undefined>;
  /** Returns undefined when no port is free. */
  allocateNext(uid: string): MaybePromise<number | undefined>;
  /** Does nothing when the port is known to belong to another service. */
  release(port: number, uid: string): MaybePromise<void>;
}
