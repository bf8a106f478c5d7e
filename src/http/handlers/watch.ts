import { apiVersionOf } from '../../meta/group-version.ts';
import { StatusError } from '../../meta/status-error.ts';
import type { Resource, Verbs } from '../../registry/index.ts';
import { negotiator } from '../object-negotiation.ts';
import { jsonHeaders } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import { flag, type ResourceTarget } from '../request-info.ts';
import { WatchWriter } from '../watch-writer.ts';
import { integerParameter } from './list.ts';

const bookmarkInterval = 60_000;
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

export interface WatchLimits {
  /** Watches without a timeout of their own end after this and up to twice as long. */
  readonly minTimeoutSeconds: number;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

export async function handleWatch(
  context: RequestContext,
  target: ResourceTarget,
  { resource, watch, limits }: { resource: Resource; watch: NonNullable<Verbs['watch']>; limits: WatchLimits },
): Promise<void> {
  const { exchange, query } = context;
  negotiator.choose(exchange.header('accept'));
  // Means nothing here, but has to be a number all the same.
  integerParameter(context, 'limit');
  const seconds = integerParameter(context, 'timeoutSeconds') ?? 0;
  const bookmarks = flag(query, 'allowWatchBookmarks') === true;
  const stop = new AbortController();
  const { definition } = resource;
  const bookmark = (resourceVersion: string, annotations?: Record<string, string>) =>
    JSON.stringify({
      kind: definition.kind,
      apiVersion: apiVersionOf(definition),
      metadata: { resourceVersion, ...(annotations && { annotations }) },
    });

  // The stream is opened by the first thing to write, so that a refusal can still have a status of its own.
  let writer: WatchWriter | undefined;
  let lastVersion = '';
  const open = (): WatchWriter => {
    writer ??= new WatchWriter(exchange.respondStream(200, jsonHeaders(exchange)), {
      onEnd: () => stop.abort(),
      cut: () => exchange.abort(),
    });
    return writer;
  };
  const end = (): void => {
    if (!stop.signal.aborted) stop.abort();
    writer?.end();
  };
  exchange.signal.addEventListener('abort', end, { once: true });
  limits.signal.addEventListener('abort', end, { once: true });
  stop.signal.addEventListener('abort', () => limits.signal.removeEventListener('abort', end), { once: true });

  await watch({
    namespace: target.namespace,
    labelSelector: context.parameter('labelSelector'),
    fieldSelector: context.parameter('fieldSelector'),
    resourceVersion: context.parameter('resourceVersion'),
    resourceVersionMatch: context.parameter('resourceVersionMatch'),
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    signal: stop.signal,
    onEvent: (event) => {
      lastVersion = event.resourceVersion;
      open().event(event);
    },
    onInitialEnd: (resourceVersion) => {
      lastVersion = resourceVersion;
      if (bookmarks) open().bookmark(bookmark(resourceVersion, initialEventsEnd));
      open().countWaiting();
    },
    onError: (error) => {
      open().error(statusOf(error));
      stop.abort();
    },
  });
  const opened = open();
  opened.countWaiting();
  if (exchange.signal.aborted || limits.signal.aborted) return end();
  schedule({ seconds: seconds > 0 ? seconds : limits.minTimeoutSeconds * (1 + Math.random()), stop: stop.signal, end });
  if (bookmarks) {
    const timer = setInterval(() => {
      if (lastVersion !== '') opened.bookmark(bookmark(lastVersion));
    }, bookmarkInterval);
    timer.unref();
    stop.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
}

/** Timers cannot run longer than this; a watch of weeks ends a little early, which clients are prepared for. */
const longestTimer = 2 ** 31 - 1;

function schedule({ seconds, stop, end }: { seconds: number; stop: AbortSignal; end: () => void }): void {
  const timer = setTimeout(end, Math.min(seconds * 1000, longestTimer));
  timer.unref();
  stop.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

function statusOf(error: Error) {
  if (error instanceof StatusError) return error.status;
  return new StatusError({ code: 500, reason: 'InternalError', message: error.message }, { cause: error }).status;
}
