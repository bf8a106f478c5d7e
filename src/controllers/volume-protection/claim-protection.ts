import { type Informer, untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import { isWaiting, unprotect } from './protection.ts';

const claims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
const pods = { group: '', version: 'v1', resource: 'pods' };
const finalizer = 'kubernetes.io/pvc-protection';

interface Pod extends ResourceObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly {
      readonly name: string;
      readonly persistentVolumeClaim?: { readonly claimName?: string };
      readonly ephemeral?: object;
    }[];
  };
  readonly status?: { readonly phase?: string };
}

/** Removes the protection finalizer of deleted claims when no pod on a node uses them. */
export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const informer = informers.informer(claims, { metadataOnly: true });
    const queue = makeQueue(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const seen = informer.get(namespace, name);
      if (seen === undefined || !isWaiting(seen, finalizer)) return;
      // The informer must run before the list, so that no pod is missed between the two.
      await followPods();
      // Read from the server, because a pod that was just bound to a node needs its volume.
      const { items } = await client.resource<Pod>(pods, namespace).list();
      if (items.some((pod) => claimsOf(pod).includes(name))) return;
      const object = await client.resource(claims, namespace).metadataOnly().get(name).catch(ignoreNotFound);
      if (object !== undefined && isWaiting(object, finalizer))
        await unprotect(client, { type: claims, object, finalizer });
    });
    const enqueue = (object: ResourceObject): void => {
      const { namespace = '', name = '' } = object.metadata;
      if (isWaiting(object, finalizer)) queue.add(`${namespace}/${name}`);
    };
    const enqueueClaims = (pod: Pod): void => {
      for (const name of claimsOf(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
    };
    let followed: Informer<Pod> | undefined;
    // Pods are watched only when a deleted claim waits for them.
    const followPods = (): Promise<void> => {
      if (followed === undefined) {
        followed = informers.informer<Pod>(pods);
        followed.addHandler({ updated: (_pod, before) => enqueueClaims(before), deleted: enqueueClaims });
      }
      return followed.synced;
    };
    informer.addHandler({ added: enqueue, updated: enqueue });
    await untilAborted(signal);
  },
};

/**
 * The claims that a pod uses. A pod without a node does not count: it is not scheduled while its claims are being
 * deleted.
 */
function claimsOf({ metadata, spec, status }: Pod): string[] {
  if (!spec?.nodeName) return [];
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName) return [persistentVolumeClaim.claimName];
    return ephemeral !== undefined && !hasEnded ? [`${metadata.name}-${name}`] : [];
  });
}
