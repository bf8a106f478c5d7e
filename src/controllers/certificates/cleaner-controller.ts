import { X509Certificate } from 'node:crypto';
import { untilAborted } from '../../client/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreNotFound } from '../ignore-not-found.ts';
import {
  conditionOf,
  isIssued,
  type RequestCondition,
  type SigningRequest,
  signingRequests,
} from './signing-request.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Deletes certificate requests that are expired, finished or abandoned. */
export function cleanerController(): Controller {
  return {
    name: 'certificatesigningrequest-cleaner-controller',
    aliases: ['csrcleaner'],

    async run({ client, informers, queue: makeQueue, clock }, signal) {
      const informer = informers.informer<SigningRequest>(signingRequests);
      const queue = makeQueue(
        async (name) => {
          const request = informer.get('', name);
          const due = request && deletableFrom(request);
          if (due === undefined) return;
          if (due > clock.now()) return queue.addAfter(name, due - clock.now());
          const { uid = '', resourceVersion = '' } = request!.metadata;
          const preconditions = { uid, resourceVersion };
          await client.resource(signingRequests).delete(name, {}, { preconditions }).catch(ignoreNotFound);
        },
        { clock },
      );
      const enqueue = (request: SigningRequest): void => {
        const due = deletableFrom(request);
        if (due !== undefined) queue.addAfter(request.metadata.name ?? '', due - clock.now());
      };
      informer.addHandler({ added: enqueue, updated: enqueue });
      await untilAborted(signal);
    },
  };
}

/** The time from which the request can be deleted, in milliseconds since 1970. Undefined when unknown. */
export function deletableFrom(request: SigningRequest): number | undefined {
  const { metadata, status } = request;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (!status?.conditions?.length) return after(metadata.creationTimestamp, day);
  const approved = conditionOf(request, 'Approved');
  const times = [
    changed(conditionOf(request, 'Denied'), hour),
    changed(conditionOf(request, 'Failed'), hour),
    changed(approved, isIssued(request) ? hour : day),
    approved && expiryOf(status.certificate),
  ].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function changed(condition: RequestCondition | undefined, ms: number): number | undefined {
  return after(condition?.lastUpdateTime, ms);
}

/** One millisecond later, because the time itself still counts as valid. */
function after(time: string | undefined, ms: number): number | undefined {
  return time === undefined ? undefined : Date.parse(time) + ms + 1;
}

function expiryOf(certificate: string | undefined): number | undefined {
  if (!certificate) return undefined;
  try {
    return after(new X509Certificate(Buffer.from(certificate, 'base64')).validTo, 0);
  } catch {
    return undefined;
  }
}
