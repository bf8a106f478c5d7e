import type { ResourceObject } from '../meta/object.ts';
import type { ObjectFollower } from '../meta/object-follower.ts';
import type { ObjectEvent } from '../store/index.ts';
import type { ResourceContext } from './resource-context.ts';

/**
 * Reports all objects, and then every change in the same step in which it becomes visible to readers. A client that got
 * the response to its write therefore finds the write in this state. Resolves when the existing objects have been
 * reported.
 */
export async function followObjects(context: ResourceContext, follower: ObjectFollower): Promise<void> {
  const { signal } = follower;
  const read = ({ object, previous }: ObjectEvent): ResourceObject =>
    follower.read?.(context.codec.document(object), previous && context.codec.document(previous)) ??
    context.shared.of(object);
  const deliver = (event: ObjectEvent): void => {
    try {
      if (event.type === 'DELETED') follower.onRemove(read(event));
      else follower.onPut(read(event));
    } catch (error) {
      // Skip an object that cannot be read: it must not block writers of others.
      follower.onError(error as Error);
    }
  };
  const early: ObjectEvent[] = [];
  let isDelivering = false;
  const { backlog } = await context.store.watch({
    prefix: context.keys.prefix(''),
    after: undefined,
    // Skip corrupt objects: a corrupt role grants nothing.
    skipCorrupt: true,
    onEvent: (event) => {
      if (isDelivering) deliver(event);
      else early.push(event);
    },
    onError: (error) => {
      if (signal.aborted) return;
      follower.onError(error);
      void retry(context, follower);
    },
    signal,
  });
  follower.onReset();
  for await (const events of backlog) for (const event of events) deliver(event);
  for (const event of early) deliver(event);
  isDelivering = true;
  follower.onSynced?.();
}

const pause = 100;

/** Retries until it succeeds: an outdated state could allow actions that are now forbidden. */
async function retry(context: ResourceContext, follower: ObjectFollower): Promise<void> {
  while (!follower.signal.aborted) {
    try {
      return await followObjects(context, follower);
    } catch (error) {
      if (follower.signal.aborted) return;
      follower.onError(error as Error);
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }
}
