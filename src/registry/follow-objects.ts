import type { ResourceObject } from '../meta/object.ts';
import type { ObjectEvent } from '../store/index.ts';
import type { ResourceContext } from './resource-context.ts';

/** Keeps a picture of all objects of a type. The objects are shared and must not be changed. */
export interface ObjectFollower {
  /** Everything is told again from the beginning: what was known before is void. */
  readonly onReset: () => void;
  readonly onPut: (object: ResourceObject) => void;
  readonly onRemove: (object: ResourceObject) => void;
  /** The picture could not be kept up to date; it is made anew. */
  readonly onError: (error: Error) => void;
  /** The only way to stop. */
  readonly signal: AbortSignal;
}

/**
 * Tells the present objects, and then every change within the step in which readers begin to see it: whoever has been told
 * that a write succeeded finds it in the picture. Resolves when the present objects have been told.
 */
export async function followObjects(context: ResourceContext, follower: ObjectFollower): Promise<void> {
  const { signal } = follower;
  const tell = ({ type, object }: ObjectEvent): void => {
    try {
      if (type === 'DELETED') follower.onRemove(context.shared(object));
      else follower.onPut(context.shared(object));
    } catch (error) {
      // An object that cannot be read says nothing, and must not hold up those who write others.
      follower.onError(error as Error);
    }
  };
  const early: ObjectEvent[] = [];
  let isTold = false;
  const { backlog } = await context.store.watch({
    prefix: context.prefix(''),
    after: undefined,
    // What cannot be read says nothing: a corrupt role grants nothing.
    skipCorrupt: true,
    onEvent: (event) => {
      if (isTold) tell(event);
      else early.push(event);
    },
    onError: (error) => {
      if (signal.aborted) return;
      follower.onError(error);
      void again(context, follower);
    },
    signal,
  });
  follower.onReset();
  for await (const events of backlog) for (const event of events) tell(event);
  for (const event of early) tell(event);
  isTold = true;
}

const pause = 100;

/** Until it succeeds: a picture that is not kept up would allow what has been forbidden. */
async function again(context: ResourceContext, follower: ObjectFollower): Promise<void> {
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
