import { ApiError, untilAborted } from '../client/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';

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

/** Takes jobs away some time after they have finished, if they say so. */
export const ttlAfterFinished: Controller = {
  name: 'ttl-after-finished-controller',
  aliases: ['ttl-after-finished'],

  async run({ client, informers, queue: makeQueue }, signal) {
    const informer = informers.informer<Job>(jobs);
    const queue = makeQueue(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const seen = informer.get(namespace, name);
      if (seen === undefined || expiry(seen) === undefined) return;
      // The time may have been changed a moment ago.
      const job = await client.resource<Job>(jobs, namespace).get(name).catch(missing);
      const due = job && expiry(job);
      if (due === undefined) return;
      if (due > Date.now()) queue.addAfter(key, due - Date.now());
      else {
        const preconditions = { uid: job!.metadata.uid ?? '', resourceVersion: job!.metadata.resourceVersion ?? '' };
        // Not in the foreground: a job goes even where nobody collects its pods.
        const options = { propagationPolicy: 'Background', preconditions } as const;
        await client.resource<Job>(jobs, namespace).delete(name, {}, options).catch(missing);
      }
    });
    const look = (job: Job): void => {
      const due = expiry(job);
      const { namespace = '', name = '' } = job.metadata;
      if (due !== undefined) queue.addAfter(`${namespace}/${name}`, due - Date.now());
    };
    informer.addHandler({ added: look, updated: look });
    await untilAborted(signal);
  },
};

/** When the job is to go, in milliseconds. Undefined when it is not, or not yet known. */
function expiry({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const finished = status?.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  if (finished?.lastTransitionTime === undefined) return undefined;
  return Date.parse(finished.lastTransitionTime) + seconds * 1000;
}

function missing(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 404) throw error;
}
