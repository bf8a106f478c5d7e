import { ApiError, Informer, untilAborted } from '../../client/index.ts';
import type { Controller, ControllerTools } from '../controller.ts';
import { type Namespace, nextConditions } from './namespace-conditions.ts';
import { deletableTypes, deleteContent, isGoing, type Remains } from './namespace-content.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
/** Stands for the content of a namespace. */
const finalizer = 'kubernetes';
/** Many objects that go one by one need not be counted each time. */
const settleMs = 200;

/** Empties namespaces that are being deleted and then lets them go. */
export const namespaceController: Controller = {
  name: 'namespace-controller',
  aliases: ['namespace'],

  async run(tools, signal) {
    const informer = tools.informers.informer<Namespace>(namespaces);
    const waits = new Map<string, AbortController>();
    const queue = tools.queue(
      async (name) => {
        stopWaiting(waits, name);
        const namespace = informer.get('', name);
        if (namespace === undefined || !isToBeEmptied(namespace)) return;
        const remains = await empty(tools, namespace);
        if (remains === undefined) return;
        const stop = new AbortController();
        waits.set(name, stop);
        waitForContent(tools, { namespace: name, remains, add: queue }, AbortSignal.any([signal, stop.signal]));
        // Whoever refused something may not do so again, and nobody tells.
        if (remains.errors[0] !== undefined) throw remains.errors[0];
      },
      { workers: 10 },
    );
    const look = (namespace: Namespace): void => {
      if (isToBeEmptied(namespace)) queue.add(namespace.metadata.name ?? '');
    };
    informer.addHandler({
      added: look,
      // What this controller itself has written about the namespace is no reason to look again.
      updated: (namespace, before) => {
        if (!isToBeEmptied(before)) look(namespace);
      },
      deleted: ({ metadata }) => stopWaiting(waits, metadata.name ?? ''),
    });
    await untilAborted(signal);
  },
};

function isToBeEmptied({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && spec?.finalizers?.includes(finalizer) === true;
}

function stopWaiting(waits: Map<string, AbortController>, name: string): void {
  waits.get(name)?.abort();
  waits.delete(name);
}

/** Deletes what there is. Undefined when that was all and the namespace has been let go. */
async function empty({ client, discovery }: ControllerTools, namespace: Namespace): Promise<Remains | undefined> {
  const name = namespace.metadata.name ?? '';
  const { resources, failed } = await discovery.read();
  const remains = await deleteContent(client, name, deletableTypes(resources));
  // As it is now: its content is told about in its status, and its version has to be the present one.
  const present = await client
    .resource<Namespace>(namespaces)
    .get(name)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    });
  if (present === undefined || present.metadata.uid !== namespace.metadata.uid) return undefined;
  const errors = [...remains.errors, ...failed.map((version) => new Error(`${version} is not available`))];
  if (remains.held.length === 0 && errors.length === 0) {
    const finalizers = present.spec?.finalizers?.filter((each) => each !== finalizer) ?? [];
    await client
      .resource<Namespace>(namespaces)
      .update({ ...present, spec: { finalizers } }, { subresource: 'finalize' });
    return undefined;
  }
  const conditions = nextConditions(present.status?.conditions ?? [], { ...remains, undiscovered: failed });
  if (conditions !== undefined) {
    const status = { ...present.status, conditions };
    await client.resource<Namespace>(namespaces).update({ ...present, status }, { subresource: 'status' });
  }
  return { ...remains, errors };
}

interface Waiting {
  readonly namespace: string;
  readonly remains: Remains;
  readonly add: { add(key: string): void; addAfter(key: string, ms: number): void };
}

/** Looks again when the last object of a type is gone, and some time after others are, or when there are new ones. */
function waitForContent({ client, report }: ControllerTools, waiting: Waiting, signal: AbortSignal): void {
  const { namespace, remains, add } = waiting;
  for (const { type, objects } of remains.held) {
    const informer = new Informer(client.resource(type, namespace).metadataOnly(), { report }, signal);
    const look = (): void => {
      if (signal.aborted) return;
      if (informer.size === 0 && informer.hasSynced) add.add(namespace);
      else add.addAfter(namespace, settleMs);
    };
    informer.addHandler({
      added: (object) => {
        if (!isGoing(object)) look();
      },
      updated: look,
      deleted: look,
    });
    // Something may have gone before it was followed.
    void informer.synced.then(
      () => {
        if (informer.size < objects.length) look();
      },
      () => {},
    );
  }
}
