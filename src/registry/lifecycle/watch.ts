import { expired, resourceVersionTooLarge } from '../../meta/status-error.ts';
import type { ObjectEvent, StoredObject } from '../../store/index.ts';
import { watchStart } from '../list-version.ts';
import type { WatchEvent, WatchRequest } from '../resource.ts';
import type { ResourceContext } from '../resource-context.ts';
import { selection } from './read.ts';

/** Streams the changes that the request selects until its signal aborts. Resolves when the stream is established. */
export async function watch(context: ResourceContext, request: WatchRequest): Promise<void> {
  const start = watchStart(request);
  const matches = selection(context, request);
  const now = await context.store.revision();
  if (start.atLeast > now) throw resourceVersionTooLarge(start.atLeast, now);
  const after = start.initialEvents ? undefined : (start.after ?? now);
  try {
    await context.store.watch({
      prefix: context.prefix(request.namespace),
      after,
      onEvent: (event) => {
        const selected = matches === undefined ? whole(context, event) : transition(context, event, matches);
        if (selected !== undefined) request.onEvent(selected);
      },
      onInitialEnd: (revision) => request.onInitialEnd(String(revision)),
      onError: (error) => request.onError(translated(error, after, now)),
      signal: request.signal,
    });
  } catch (error) {
    throw translated(error, after, now);
  }
}

function whole(context: ResourceContext, { type, object }: ObjectEvent): WatchEvent {
  return { type, object: document(context, object), resourceVersion: String(object.revision) };
}

/** For a watcher with selectors an object appears and disappears as it begins and ceases to match. */
function transition(
  context: ResourceContext,
  { type, object, previous }: ObjectEvent,
  matches: (object: StoredObject) => boolean,
): WatchEvent | undefined {
  const before = previous !== undefined && matches(previous);
  const now = type !== 'DELETED' && matches(object);
  if (now) return { ...whole(context, { type, object, previous }), type: before ? 'MODIFIED' : 'ADDED' };
  if (!before) return undefined;
  return whole(context, { type: 'DELETED', object: previous!.withRevision(object.revision), previous });
}

function document(context: ResourceContext, object: StoredObject): Buffer {
  const bytes = context.document(object);
  return bytes.subarray(0, bytes.length - 1);
}

function translated(error: unknown, after: number | undefined, now: number): Error {
  if ((error as { code?: unknown }).code !== 'RevisionCompacted') return error as Error;
  return expired(`too old resource version: ${after ?? 0} (${now})`);
}
