import { expired } from '../../meta/status-error.ts';
import { Turn } from '../../meta/turns.ts';
import { isWholePrefix, type ObjectEvent, type ObjectScope, selects } from '../../store/index.ts';
import { watchStart } from '../list-version.ts';
import type { WatchRequest, WatchStream } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { selection } from '../selection.ts';
import { waitForRevision } from '../wait-for-revision.ts';
import type { WatchEvent } from '../watch-event.ts';

/** Streams the changes that the request selects until its signal aborts. Resolves when the stream is established. */
export async function watch(context: ResourceContext, request: WatchRequest): Promise<WatchStream> {
  const { store } = context;
  const { initialEvents, after: given, atLeast } = watchStart(request);
  const scope = selection(context, request);
  const reached = waitForRevision(store, atLeast);
  if (reached instanceof Promise) request.onWait();
  const now = await reached;
  const after = initialEvents ? undefined : (given ?? now);
  const seen = isWholePrefix(scope) ? whole : transition;
  const failed = (error: unknown): Error => translated(context, error, after);
  try {
    const { backlog, initialRevision, progress } = await store.watch({
      ...scope,
      after,
      // A client that requests the complete state must not get a part of it.
      skipCorrupt: request.skipCorrupt === true || request.sendInitialEvents !== true,
      onEvent: (event) => {
        const shown = seen(context, event, scope);
        if (shown !== undefined) request.onEvent(shown);
      },
      onError: (error) => request.onError(failed(error)),
      signal: request.signal,
    });
    return {
      backlog: shownBacklog({ backlog, show: (event) => seen(context, event, scope), failed }),
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

interface ShownBacklog {
  readonly backlog: Iterable<readonly ObjectEvent[]> | AsyncIterable<readonly ObjectEvent[]>;
  readonly show: (event: ObjectEvent) => WatchEvent | undefined;
  readonly failed: (error: unknown) => Error;
}

async function* shownBacklog({ backlog, show, failed }: ShownBacklog): AsyncGenerator<readonly WatchEvent[]> {
  try {
    const turn = new Turn();
    for await (const events of backlog) {
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

/** For a watcher with selectors, objects are added and deleted when they begin and cease to match. */
function transition({ watchEvents }: ResourceContext, event: ObjectEvent, scope: ObjectScope): WatchEvent | undefined {
  const { type, object, previous } = event;
  const before = previous !== undefined && selects(scope, previous);
  const now = type !== 'DELETED' && selects(scope, object);
  if (now) return watchEvents.of(event, before ? 'MODIFIED' : 'ADDED');
  return before ? watchEvents.of(event, 'DELETED') : undefined;
}

function translated({ store }: ResourceContext, error: unknown, after: number | undefined): Error {
  if ((error as { code?: unknown }).code !== 'RevisionCompacted') return error as Error;
  return expired(`too old resource version: ${after ?? 0} (${store.oldestRevision()})`);
}
