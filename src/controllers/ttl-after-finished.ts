import { untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';
import { ignoreNotFound } from './ignore-not-found.ts';

const jobs = { group: 'batch', version: 'v1', resource: 'jobs' };

interface Job extends ResourceObject {
  readonly spec?: { readonly ttlSecondsAfterFinished?: number };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

/** Deletes finished jobs after their `ttlSecondsAfterFinished`. */
export const ttlAfterFinished: Controller = {
  name: 'ttl-after-finished-controller',
  aliases: ['ttl-after-finished'],

  async run({ client, informers, queue: makeQueue, clock }, signal) {
    const informer = informers.informer<Job>(jobs);
    const queue = makeQueue(
      async (key) => {
        const [namespace = '', name = ''] = key.split('/');
        const seen = informer.get(namespace, name);
        if (seen === undefined || expiry(seen) === undefined) return;
        // The informer may lag behind a change of the TTL.
        const job = await client.resource<Job>(jobs, namespace).get(name).catch(ignoreNotFound);
        const due = job && expiry(job);
        if (due === undefined) return;
        if (due > clock.now()) queue.addAfter(key, due - clock.now());
        else {
          const preconditions = { uid: job!.metadata.uid ?? '', resourceVersion: job!.metadata.resourceVersion ?? '' };
          // Foreground deletion would need a garbage collector to finish.
          const options = { propagationPolicy: 'Background', preconditions } as const;
          await client.resource<Job>(jobs, namespace).delete(name, {}, options).catch(ignoreNotFound);
        }
      },
      { clock },
    );
    const enqueue = (job: Job): void => {
      const due = expiry(job);
      const { namespace = '', name = '' } = job.metadata;
      if (due !== undefined) queue.addAfter(`${namespace}/${name}`, due - clock.now());
    };
    informer.addHandler({ added: enqueue, updated: enqueue });
    await untilAborted(signal);
  },
};

/** The time at which the job expires, in milliseconds. Undefined when it has no TTL or has not finished. */
function expiry({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const finished = status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  if (finished?.lastTransitionTime === undefined) return undefined;
  return Date.parse(finished.lastTransitionTime) + seconds * 1000;
}
