import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { StatedRevision } from '../meta/resource-version.ts';
import { resourceVersionTooLarge } from '../meta/status-error.ts';
import type { ObjectStore } from '../store/index.ts';
import { readFailure } from './storage-failure.ts';

/** How long to wait for a future version, in milliseconds. */
const waitTimeoutMs = 3000;
const interval = 50;

/**
 * Returns a revision of the store that is at least the wanted one: synchronously if reads include it, which is nearly
 * always the case. A client may have the version from another server that is a little ahead, or from another store.
 *
 * @throws StatusError 504 when it is not reached in time
 */
export function waitForRevision(store: RevisionStore, wanted: StatedRevision): MaybePromise<number> {
  const reached = store.reached();
  return reached >= wanted ? reached : pollRevision(store, wanted);
}

type RevisionStore = Pick<ObjectStore, 'reached' | 'revision'>;

async function pollRevision(store: RevisionStore, wanted: StatedRevision): Promise<number> {
  const deadline = performance.now() + waitTimeoutMs;
  let now = await latest(store);
  while (now < wanted) {
    if (performance.now() >= deadline) throw resourceVersionTooLarge(wanted, now);
    await new Promise((resolve) => setTimeout(resolve, interval).unref());
    now = await latest(store);
  }
  return now;
}

async function latest(store: RevisionStore): Promise<number> {
  try {
    return await store.revision();
  } catch (error) {
    throw readFailure(error);
  }
}
