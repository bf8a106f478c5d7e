import { deletionFinalizers } from '../../meta/deletion-finalizers.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { formatTime } from '../../meta/time.ts';
import { orderedMeta } from '../ordered-meta.ts';
import type { DeleteOptions } from '../resource.ts';
import type { ResourceRules } from '../resource-definition.ts';

/**
 * The effect of a delete on an object: it is removed at once; it is marked and waits; it is marked and then removed, so
 * that watchers see it marked; or nothing happens, because it already waits.
 */
export interface DeleteStep {
  readonly action: 'keep' | 'mark' | 'mark and remove' | 'remove';
  /** The object after the step. */
  readonly object: ResourceObject;
}

export function deleteStep(
  rules: ResourceRules,
  oldObject: ResourceObject,
  { options, now }: { options: DeleteOptions; now: Date },
): DeleteStep {
  if (rules.deletesInPhases && oldObject.metadata.deletionTimestamp !== undefined && rules.heldBack?.(oldObject)) {
    return { action: 'keep', object: oldObject };
  }
  const graceful = gracefully(rules, oldObject, { options, now });
  if (graceful === 'pending') return { action: 'keep', object: oldObject };
  const finalizers = deletionFinalizers(oldObject.metadata.finalizers ?? [], options, rules.dependents);
  const isHeld = finalizers.length > 0 || (rules.deletesInPhases && oldObject.metadata.deletionTimestamp === undefined);
  if (graceful === undefined && !isHeld) return { action: 'remove', object: oldObject };
  const times = graceful ?? markedNow(oldObject.metadata, now);
  const object = marked(oldObject, { times, finalizers, countsGeneration: !rules.deletesInPhases });
  rules.prepareDelete?.(object);
  const waits = isHeld || !!times.deletionGracePeriodSeconds;
  return { action: waits ? 'mark' : 'mark and remove', object };
}

type DeletionTimes = Required<Pick<ObjectMeta, 'deletionTimestamp' | 'deletionGracePeriodSeconds'>>;

function marked(
  oldObject: ResourceObject,
  options: { times: DeletionTimes; finalizers: readonly string[]; countsGeneration: boolean },
): ResourceObject {
  const { metadata } = oldObject;
  const { times, finalizers, countsGeneration } = options;
  const begins = countsGeneration && metadata.deletionTimestamp === undefined;
  return {
    ...oldObject,
    metadata: orderedMeta({
      ...metadata,
      ...times,
      generation: begins && metadata.generation ? metadata.generation + 1 : metadata.generation,
      finalizers: finalizers.length === 0 ? undefined : [...finalizers],
    }),
  };
}

/** Marks an object without a grace period that has finalizers. */
function markedNow({ deletionTimestamp }: ObjectMeta, now: Date): DeletionTimes {
  const stays = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) <= now.getTime();
  return { deletionTimestamp: stays ? deletionTimestamp : formatTime(now), deletionGracePeriodSeconds: 0 };
}

/** Undefined when the object has no grace period. `pending` when it has one that the request does not shorten. */
function gracefully(
  { gracePeriod }: ResourceRules,
  oldObject: ResourceObject,
  { options, now }: { options: DeleteOptions; now: Date },
): DeletionTimes | 'pending' | undefined {
  if (gracePeriod === undefined) return undefined;
  const requested = options.gracePeriodSeconds;
  // A negative period is the shortest possible one. Only an explicit zero means at once.
  const period = requested !== undefined && requested < 0 ? 1 : requested;
  if (oldObject.metadata.deletionTimestamp !== undefined) return shortened(oldObject.metadata, period, now);
  // A long period of an object is a bigint.
  const seconds = gracePeriod(oldObject, period);
  return { deletionTimestamp: secondsAfter(now, seconds), deletionGracePeriodSeconds: seconds };
}

function shortened(metadata: ObjectMeta, period: number | undefined, now: Date): DeletionTimes | 'pending' | undefined {
  const { deletionTimestamp = '', deletionGracePeriodSeconds: given } = metadata;
  if (!given) return undefined;
  if (period === undefined || period >= given) return 'pending';
  const began = Date.parse(deletionTimestamp) - Number(given) * 1000;
  const ends = began + Number(period) * 1000;
  if (ends >= now.getTime()) {
    return { deletionTimestamp: formatTime(new Date(ends)), deletionGracePeriodSeconds: period };
  }
  return { deletionTimestamp: formatTime(now), deletionGracePeriodSeconds: period === 0 ? 0 : 1 };
}

function secondsAfter(now: Date, seconds: number): string {
  // The largest timestamp that the format can express.
  const latest = Date.parse('9999-12-31T23:59:59Z');
  return formatTime(new Date(Math.min(now.getTime() + Number(seconds) * 1000, latest)));
}
