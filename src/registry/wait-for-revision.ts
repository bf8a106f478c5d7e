import type { MaybePromise } from '../meta/maybe-promise.ts';
import { resourceVersionTooLarge } from '../meta/status-error.ts';
import type { ObjectStore } from '../store/index.ts';

/** How long to wait for a future version, in milliseconds. */
const waitTimeoutMs = 3000;
const interval = 50;

/**
 * The store's revision once it has reached the wanted one: at once if it has, which it nearly always has. A client may have
 * the version from another server that is a little ahead.
 *
 * @throws StatusError 504 when it is not reached in time
 */
export function waitForRevision(store: Pick<ObjectStore, 'revision'>, wanted: number): MaybePromise<number> {
  const now = store.revision();
  return typeof now === 'number' && now >= wanted ? now : keepAsking(store, wanted, now);
}

async function keepAsking(
  store: Pick<ObjectStore, 'revision'>,
  wanted: number,
  first: MaybePromise<number>,
): Promise<number> {
  const deadline = performance.now() + waitTimeoutMs;
  let now = await first;
  while (now < wanted) {
    if (performance.now() >= deadline) throw resourceVersionTooLarge(wanted, now);
    await new Promise((resolve) => setTimeout(resolve, interval).unref());
    now = await store.revision();
  }
  return now;
}
