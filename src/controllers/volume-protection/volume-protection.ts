import { untilAborted } from '../../client/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Controller } from '../controller.ts';
import { isWaiting, unprotect } from './protection.ts';

const volumes = { group: '', version: 'v1', resource: 'persistentvolumes' };
const finalizer = 'kubernetes.io/pv-protection';

/** Removes the protection finalizer of deleted volumes that are not bound to a claim. */
export const volumeProtection: Controller = {
  name: 'persistentvolume-protection-controller',
  aliases: ['pv-protection'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const informer = informers.informer(volumes);
    const queue = makeQueue(async (name) => {
      const object = informer.get('', name);
      if (object !== undefined && isFree(object)) await unprotect(client, { type: volumes, object, finalizer });
    });
    const enqueue = (volume: ResourceObject): void => {
      if (isFree(volume)) queue.add(volume.metadata.name ?? '');
    };
    informer.addHandler({ added: enqueue, updated: enqueue });
    await untilAborted(signal);
  },
};

function isFree(volume: ResourceObject): boolean {
  const { phase } = (volume.status ?? {}) as { readonly phase?: string };
  return isWaiting(volume, finalizer) && phase !== 'Bound';
}
