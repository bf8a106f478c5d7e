import { setTimeout as pause } from 'node:timers/promises';
import { FieldSelector } from '../../meta/field-selector.ts';
import { badRequest, expired, notFound, resourceVersionTooLarge, StatusError } from '../../meta/status-error.ts';
import type { Resource, Verbs, WatchEvent, WatchStream } from '../../registry/index.ts';
import { integerParameter } from '../query-values.ts';
import { headersOf } from '../render.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceTarget } from '../request-info.ts';
import { outputFormat, type ServedType } from '../responses/output-format.ts';
import { respondObject } from '../responses/respond-object.ts';
import { RevisionList } from '../responses/revision-list.ts';

const defaultLimit = 500;
const maxLimit = 5000;
type ListRequest = Parameters<NonNullable<Verbs['list']>>[0];

/** How long the list waits for a committed change that this server has not received yet. */
const maxLagMs = 3000;
/** A compaction may remove history while it is being read, so the read is repeated. */
const attempts = 3;

export interface History {
  /** The oldest revision whose history is kept. */
  readonly oldestRevision: () => number;
}

export interface HistoryRequest {
  readonly resource: Resource;
  readonly servedType: ServedType;
  readonly history: History;
}

/** Responds with the object as it was at a revision, or with the list of its revisions. */
export async function handleHistory(
  context: RequestContext,
  target: ResourceTarget,
  request: HistoryRequest,
): Promise<void> {
  const { verbs, definition } = request.resource;
  const { list, watch } = verbs;
  if (list === undefined || watch === undefined) throw notFound(definition, target.name);
  const past = new PastObject({ list, watch, target });
  const revision = integerParameter(context, 'revision');
  if (revision === undefined) return respondRevisions(context, past, request);
  if (!(revision > 0)) throw badRequest('revision must be a positive number');
  const format = outputFormat(context, request.servedType, context.formats.objects);
  const document = await past.at(revision);
  if (document === undefined) throw notFound(definition, target.name);
  // The deadline may have responded meanwhile.
  if (!context.exchange.responded) respondObject(context.exchange, format, { status: 200, document });
}

async function respondRevisions(context: RequestContext, past: PastObject, request: HistoryRequest): Promise<void> {
  const { exchange } = context;
  const limit = integerParameter(context, 'limit') ?? defaultLimit;
  if (!(limit > 0 && limit <= maxLimit)) throw badRequest(`limit must be between 1 and ${maxLimit}`);
  const isWanted = (): boolean => !exchange.responded && !exchange.signal.aborted;
  const latest = await past.latestRevision();
  for (let attempt = 1; ; attempt++) {
    // Revision 0 means any state.
    const oldest = Math.max(1, request.history.oldestRevision());
    const revisions = new RevisionList(limit);
    try {
      await past.read(revisions, { oldest, latest, isWanted });
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 410 || attempt >= attempts) throw error;
      continue;
    }
    if (!isWanted()) return;
    if (revisions.isEmpty) throw notFound(request.resource.definition, past.name);
    const body = revisions.document({ oldest, latest });
    exchange.respond(200, headersOf(exchange, 'application/json'), `${JSON.stringify(body)}\n`);
    return;
  }
}

interface ReadOptions {
  readonly oldest: number;
  readonly latest: number;
  /** Whether the client still waits for the response. */
  readonly isWanted: () => boolean;
}

/** One object, whether or not it exists now. */
class PastObject {
  readonly name: string;
  readonly #list: NonNullable<Verbs['list']>;
  readonly #watch: NonNullable<Verbs['watch']>;
  readonly #selection: Pick<ListRequest, 'namespace' | 'labelSelector' | 'fieldSelector'>;

  constructor({ list, watch, target }: Required<Pick<Verbs, 'list' | 'watch'>> & { target: ResourceTarget }) {
    const { name, namespace } = target;
    this.name = name;
    this.#list = list;
    this.#watch = watch;
    const selector = new FieldSelector([{ field: 'metadata.name', operator: '=', value: name }]);
    this.#selection = { namespace, labelSelector: '', fieldSelector: String(selector) };
  }

  /** The document of the object at a revision. Undefined when it did not exist then. */
  async at(revision: number): Promise<Buffer | undefined> {
    try {
      const page = await this.#listAt({ resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
      for (const { documents } of page.documents()) return documents()[0];
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 410) throw error;
      throw expired(`the history of revision ${revision} is no longer kept`);
    }
  }

  async latestRevision(): Promise<number> {
    return Number((await this.#listAt({ resourceVersion: '', resourceVersionMatch: '' })).resourceVersion);
  }

  /** Adds the state at the oldest revision and all changes after it, up to the latest one. */
  async read(revisions: RevisionList, { oldest, latest, isWanted }: ReadOptions): Promise<void> {
    const first = await this.at(oldest);
    if (first !== undefined) revisions.add('EXISTING', first);
    const stop = new AbortController();
    const late: WatchEvent[] = [];
    let failure: Error | undefined;
    const fail = (error: Error): void => {
      failure = error;
    };
    try {
      const stream = await this.#watch({
        ...this.#selection,
        resourceVersion: String(oldest),
        resourceVersionMatch: '',
        sendInitialEvents: undefined,
        continueToken: '',
        onWait: () => {},
        onEvent: (event) => late.push(event),
        onError: fail,
        onEnd: () => fail(expired('the type has changed')),
        signal: stop.signal,
      });
      for await (const events of stream.backlog) {
        if (!isWanted()) return;
        for (const { type, document } of events) revisions.add(type, document);
      }
      await caughtUp(stream, { latest, isWanted: () => isWanted() && failure === undefined });
      if (failure !== undefined) throw failure;
      for (const { type, document } of late) revisions.add(type, document);
    } finally {
      stop.abort();
    }
  }

  async #listAt(version: Pick<ListRequest, 'resourceVersion' | 'resourceVersionMatch'>) {
    return this.#list({ ...this.#selection, ...version, limit: 0, continueToken: '' });
  }
}

/** Resolves when the watch has delivered all changes up to a revision. Only watches of a shared store lag behind. */
async function caughtUp(stream: WatchStream, { latest, isWanted }: Omit<ReadOptions, 'oldest'>): Promise<void> {
  const deadline = performance.now() + maxLagMs;
  for (;;) {
    const reached = Number(stream.progress() ?? 0);
    if (reached >= latest || !isWanted()) return;
    if (performance.now() >= deadline) throw resourceVersionTooLarge(latest, reached);
    await pause(20);
  }
}
