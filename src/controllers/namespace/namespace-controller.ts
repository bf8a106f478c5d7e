import { ApiError, Informer, untilAborted } from '../../client/index.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { type Namespace, nextConditions } from './namespace-conditions.ts';
import { deletableTypes, deleteContent, isBeingDeleted, type RemainingContent } from './namespace-content.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
/** The finalizer that represents the content of a namespace. */
const finalizer = 'kubernetes';
/** Batches the deletion events of many objects. */
const settleMs = 200;

export interface NamespaceControllerOptions {
  /**
   * The time until all servers of a store have noticed that a namespace is terminating. Until then they may create
   * objects in it, so it is emptied afterwards. Default: 0, because a single server notices it at once.
   */
  readonly graceMs?: number | undefined;
  /** Resolves when the running requests of this server that create an object in the namespace have ended. */
  readonly createsEnded?: (namespace: string) => Promise<void>;
}

/** Deletes the content of terminating namespaces and then removes their finalizer. */
export function namespaceController(options: NamespaceControllerOptions = {}): Controller {
  return { name: 'namespace-controller', aliases: ['namespace'], run: (tools, signal) => run(tools, options, signal) };
}

async function run(
  tools: ControllerTools,
  { graceMs = 0, createsEnded }: NamespaceControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const informer = tools.informers.informer<Namespace>(namespaces);
  const waits = new Map<string, AbortController>();
  const queue = tools.queue(
    async (name) => {
      stopWaiting(waits, name);
      const namespace = informer.get('', name);
      if (namespace === undefined || !isToBeEmptied(namespace)) return;
      if (createsEnded !== undefined) await endOrAbort(createsEnded(name), signal);
      if (signal.aborted) return;
      const remains = await empty(tools, namespace);
      if (remains === undefined) return;
      const stop = new AbortController();
      waits.set(name, stop);
      waitForContent(tools, { namespace: name, remains, add: queue }, AbortSignal.any([signal, stop.signal]));
      // The failure may be temporary, and no event announces its end, so the queue retries.
      if (remains.errors[0] !== undefined) throw remains.errors[0];
    },
    { workers: 10 },
  );
  const enqueue = (namespace: Namespace): void => {
    if (isToBeEmptied(namespace)) queue.addAfter(namespace.metadata.name ?? '', graceMs);
  };
  informer.addHandler({
    added: enqueue,
    // Ignores the status updates of this controller.
    updated: (namespace, before) => {
      if (!isToBeEmptied(before)) enqueue(namespace);
    },
    deleted: ({ metadata }) => stopWaiting(waits, metadata.name ?? ''),
  });
  await untilAborted(signal);
}

/** Waits for the end of the requests, but not after an abort, because webhooks may delay them. */
async function endOrAbort(end: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  await Promise.race([end, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function isToBeEmptied({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && spec?.finalizers?.includes(finalizer) === true;
}

function stopWaiting(waits: Map<string, AbortController>, name: string): void {
  waits.get(name)?.abort();
  waits.delete(name);
}

/** Deletes the content. Returns undefined when nothing remained and the namespace has been finalized. */
async function empty(
  { client, discovery, clock }: ControllerTools,
  namespace: Namespace,
): Promise<RemainingContent | undefined> {
  const name = namespace.metadata.name ?? '';
  const { resources, failed } = await discovery.read();
  const remains = await deleteContent(client, name, deletableTypes(resources));
  // The updates below need the current resource version and conditions.
  const present = await client.resource<Namespace>(namespaces).get(name).catch(ignoreNotFound);
  if (present === undefined || present.metadata.uid !== namespace.metadata.uid) return undefined;
  const errors = [...remains.errors, ...failed.map((version) => new Error(`${version} is not available`))];
  if (remains.held.length === 0 && errors.length === 0) {
    const finalizers = present.spec?.finalizers?.filter((each) => each !== finalizer) ?? [];
    await client
      .resource<Namespace>(namespaces)
      .update({ ...present, spec: { finalizers } }, { subresource: 'finalize' });
    return undefined;
  }
  const conditions = nextConditions(present.status?.conditions ?? [], { ...remains, undiscovered: failed }, clock);
  if (conditions !== undefined) {
    const status = { ...present.status, conditions };
    await client.resource<Namespace>(namespaces).update({ ...present, status }, { subresource: 'status' });
  }
  return { ...remains, errors };
}

interface Waiting {
  readonly namespace: string;
  readonly remains: RemainingContent;
  readonly add: { add(key: string): void; addAfter(key: string, ms: number): void };
}

/**
 * Enqueues the namespace when the last object of a type is deleted, and with a delay when other objects are deleted or
 * created.
 */
function waitForContent({ client, report }: ControllerTools, waiting: Waiting, signal: AbortSignal): void {
  const { namespace, remains, add } = waiting;
  const failed = (error: Error): void => {
    // The objects may now be served in another version, or were removed together with their definition.
    if (error instanceof ApiError && error.code === 404) add.addAfter(namespace, settleMs);
    else report(error);
  };
  for (const { type, objects } of remains.held) {
    const informer = new Informer(client.resource(type, namespace).metadataOnly(), { report: failed }, signal);
    const enqueue = (): void => {
      if (signal.aborted) return;
      if (informer.size === 0 && informer.hasSynced) add.add(namespace);
      else add.addAfter(namespace, settleMs);
    };
    informer.addHandler({
      added: (object) => {
        if (!isBeingDeleted(object)) enqueue();
      },
      updated: enqueue,
      deleted: enqueue,
    });
    // Objects may have been deleted before the informer started.
    void informer.synced.then(
      () => {
        if (informer.size < objects.length) enqueue();
      },
      () => {},
    );
  }
}
