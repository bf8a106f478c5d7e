import { type Informer, type ResourceReference, untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ControllerTools } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { isWaiting, unprotect } from './protection.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

export interface ProtectedByPods<P extends ResourceObject> {
  readonly type: ResourceReference;
  readonly finalizer: string;
  /** The names of the objects that a pod uses, in its namespace. */
  readonly usedBy: (pod: P) => readonly string[];
}

/** Removes the finalizer of deleted objects when no pod uses them, until the signal aborts. */
export async function protectByPods<P extends ResourceObject>(
  { client, informers, queue: makeQueue }: ControllerTools,
  { type, finalizer, usedBy }: ProtectedByPods<P>,
  signal: AbortSignal,
): Promise<void> {
  const informer = informers.informer(type, { metadataOnly: true });
  const queue = makeQueue(async (key) => {
    const [namespace = '', name = ''] = key.split('/');
    const seen = informer.get(namespace, name);
    if (seen === undefined || !isWaiting(seen, finalizer)) return;
    // The informer must run before the list, so that no pod is missed between the two.
    await followPods();
    // Read from the server, because a pod that was just bound to a node needs its volume.
    const { items } = await client.resource<P>(pods, namespace).list();
    if (items.some((pod) => usedBy(pod).includes(name))) return;
    const object = await client.resource(type, namespace).metadataOnly().get(name).catch(ignoreNotFound);
    if (object !== undefined && isWaiting(object, finalizer)) await unprotect(client, { type, object, finalizer });
  });
  const enqueue = (object: ResourceObject): void => {
    const { namespace = '', name = '' } = object.metadata;
    if (isWaiting(object, finalizer)) queue.add(`${namespace}/${name}`);
  };
  const enqueueUsed = (pod: P): void => {
    for (const name of usedBy(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
  };
  let followed: Informer<P> | undefined;
  // Pods are watched only when a deleted object waits for them.
  const followPods = (): Promise<void> => {
    if (followed === undefined) {
      followed = informers.informer<P>(pods);
      followed.addHandler({ updated: (_pod, before) => enqueueUsed(before), deleted: enqueueUsed });
    }
    return followed.synced;
  };
  informer.addHandler({ added: enqueue, updated: enqueue });
  await untilAborted(signal);
}
