import { expired } from '../../meta/status-error.ts';
import { Turn } from '../../meta/turns.ts';
import { isWholePrefix, type ObjectEvent, type ObjectScope, type StoredObject, selects } from '../../store/index.ts';
import { watchStart } from '../list-version.ts';
import type { WatchRequest, WatchStream } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { selection } from '../selection.ts';
import { readFailure } from '../storage-failure.ts';
import { waitForRevision } from '../wait-for-revision.ts';
import type { WatchEvent } from '../watch-event.ts';

/** Streams the changes that the request selects until its signal aborts. Resolves when the stream is established. */
export async function watch(context: ResourceContext, request: WatchRequest): Promise<WatchStream> {
  const { store } = context;
  const start = watchStart(request);
  const { initialEvents } = start;
  const scope = selection(context, request);
  const isAtNow = !initialEvents && start.after === undefined && start.atLeast === undefined;
  const reached = isAtNow ? store.revision() : waitForRevision(store, start.atLeast ?? 0);
  if (reached instanceof Promise) request.onWait();
  const now = await reached;
  // Revisions that numbers do not hold exactly are never reached: a watch after one stays silent.
  const after = initialEvents ? undefined : Number(start.after ?? now);
  const atLeast = start.atLeast === undefined ? undefined : Number(start.atLeast);
  const seen = isWholePrefix(scope) ? whole : transition;
  const failed = (error: unknown): Error => translated(context, error, after);
  context.watching(request.onEnd, request.signal);
  try {
    const { backlog, initialRevision, progress } = await store.watch({
      ...scope,
      after,
      atLeast,
      // A client that requests the complete state must not get a part of it.
      skipCorrupt: request.skipCorrupt === true || request.sendInitialEvents !== true,
      inTurns: request.inTurns,
      onEvent: readyEvents(context, request, (event) => seen(context, event, scope)),
      onError: (error) => request.onError(failed(error)),
      signal: request.signal,
    });
    return {
      backlog: shownBacklog({ backlog, context, show: (event) => seen(context, event, scope), failed }),
      initialVersion: initialRevision === undefined ? undefined : String(initialRevision),
      progress() {
        const revision = progress();
        return revision < (after ?? 0) ? undefined : String(revision);
      },
    };
  } catch (error) {
    throw failed(error);
  }
}

/** The maximum number of events that wait for a conversion to the served version. */
const maxWaiting = 10_000;

/** Delivers events in order, once their objects can be read. */
function readyEvents(
  context: ResourceContext,
  { onEvent, onError, signal }: WatchRequest,
  show: (event: ObjectEvent) => WatchEvent | undefined,
): (event: ObjectEvent) => void {
  const pass = (event: ObjectEvent): void => {
    const shown = show(event);
    if (shown !== undefined) onEvent(shown);
  };
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return (event) => {
    const ready = context.codec.ready(objectsOf(event));
    if (ready === undefined && waiting === 0) return pass(event);
    if (++waiting > maxWaiting) return onError(new Error('too many events wait for their conversion'));
    last = Promise.all([last, ready]).then(() => {
      waiting--;
      if (!signal.aborted) pass(event);
    });
    last.catch((error) => {
      if (!signal.aborted) onError(error as Error);
    });
  };
}

/** Returns the states of the object that an event may show. */
function objectsOf({ object, previous }: ObjectEvent): StoredObject[] {
  return previous === undefined ? [object] : [object, previous];
}

interface ShownBacklog {
  readonly context: ResourceContext;
  readonly backlog: Iterable<readonly ObjectEvent[]> | AsyncIterable<readonly ObjectEvent[]>;
  readonly show: (event: ObjectEvent) => WatchEvent | undefined;
  readonly failed: (error: unknown) => Error;
}

async function* shownBacklog({ backlog, context, show, failed }: ShownBacklog): AsyncGenerator<readonly WatchEvent[]> {
  try {
    const turn = new Turn();
    for await (const events of backlog) {
      await context.codec.ready(events.flatMap(objectsOf));
      const shown = events.map(show).filter((event) => event !== undefined);
      if (shown.length > 0) yield shown;
      if (turn.isOver) await turn.next();
    }
  } catch (error) {
    throw failed(error);
  }
}

function whole({ watchEvents }: ResourceContext, event: ObjectEvent): WatchEvent {
  return watchEvents.of(event, event.type);
}

/** For a watcher with selectors, objects are added when they begin to match and deleted when they no longer match. */
function transition({ watchEvents }: ResourceContext, event: ObjectEvent, scope: ObjectScope): WatchEvent | undefined {
  const { type, object, previous } = event;
  const before = previous !== undefined && selects(scope, previous);
  const now = type !== 'DELETED' && selects(scope, object);
  if (now) return watchEvents.of(event, before ? 'MODIFIED' : 'ADDED');
  return before ? watchEvents.of(event, 'DELETED') : undefined;
}

function translated({ store }: ResourceContext, error: unknown, after: number | undefined): Error {
  if ((error as { code?: unknown }).code !== 'RevisionCompacted') return readFailure(error) as Error;
  return expired(`too old resource version: ${after ?? 0} (${store.oldestRevision()})`);
}
