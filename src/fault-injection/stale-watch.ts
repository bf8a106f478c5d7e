import { type Verbs, WatchEvent, type WatchStream } from '../registry/index.ts';

type Reads = Required<Pick<Verbs, 'list' | 'watch'>>;
type WatchRequest = Parameters<Reads['watch']>[0];

/** A watch that begins with an older state. Later changes follow as events. */
export async function staleWatch(
  { list, watch }: Reads,
  request: WatchRequest,
  revision: number,
): Promise<WatchStream> {
  const version = String(revision);
  const { namespace, labelSelector, fieldSelector } = request;
  const state = await list({
    namespace,
    labelSelector,
    fieldSelector,
    resourceVersion: version,
    resourceVersionMatch: 'Exact',
    limit: 0,
    continueToken: '',
  });
  const early: WatchEvent[] = [];
  let isFollowing = false;
  const changes = await watch({
    ...request,
    resourceVersion: version,
    resourceVersionMatch: '',
    sendInitialEvents: undefined,
    onEvent: (event) => {
      if (isFollowing) request.onEvent(event);
      else early.push(event);
    },
  });
  const follow = async (): Promise<void> => {
    for await (const events of changes.backlog) for (const event of events) request.onEvent(event);
    for (const event of early) request.onEvent(event);
    isFollowing = true;
  };
  void follow().catch((error) => request.onError(error as Error));
  return {
    backlog: initialEvents(state),
    initialVersion: version,
    progress: () => (isFollowing ? changes.progress() : version),
  };
}

function* initialEvents({ documents }: Awaited<ReturnType<Reads['list']>>): Generator<readonly WatchEvent[]> {
  for (const group of documents()) yield Array.from(group.documents(), (document) => new WatchEvent('ADDED', document));
}
