import { type Informer, untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller } from '../controller.ts';
import { isWaiting, missing, unprotect } from './protection.ts';

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

/** Lets claims go that are deleted, once no pod on a node uses them. */
export const claimProtection: Controller = {
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const informer = informers.informer(claims, { metadataOnly: true });
    const queue = makeQueue(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const seen = informer.get(namespace, name);
      if (seen === undefined || !isWaiting(seen, finalizer)) return;
      // First, so that nothing that is listed can go unseen.
      await followPods();
      // Asked of the server: a pod that was given to a node a moment ago needs its volume.
      const { items } = await client.resource<Pod>(pods, namespace).list();
      if (items.some((pod) => claimsOf(pod).includes(name))) return;
      const object = await client.resource(claims, namespace).metadataOnly().get(name).catch(missing);
      if (object !== undefined && isWaiting(object, finalizer))
        await unprotect(client, { type: claims, object, finalizer });
    });
    const look = (object: ResourceObject): void => {
      const { namespace = '', name = '' } = object.metadata;
      if (isWaiting(object, finalizer)) queue.add(`${namespace}/${name}`);
    };
    const lookAt = (pod: Pod): void => {
      for (const name of claimsOf(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
    };
    let followed: Informer<Pod> | undefined;
    // Only who waits for pods has to know of them.
    const followPods = (): Promise<void> => {
      if (followed === undefined) {
        followed = informers.informer<Pod>(pods);
        followed.addHandler({ updated: (_pod, before) => lookAt(before), deleted: lookAt });
      }
      return followed.synced;
    };
    informer.addHandler({ added: look, updated: look });
    await untilAborted(signal);
  },
};

/** The claims that a pod needs. One that is on no node will not be given to one while they wait to go. */
function claimsOf({ metadata, spec, status }: Pod): string[] {
  if (!spec?.nodeName) return [];
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName) return [persistentVolumeClaim.claimName];
    return ephemeral !== undefined && !hasEnded ? [`${metadata.name}-${name}`] : [];
  });
}
