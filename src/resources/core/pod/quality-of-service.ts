import { addQuantityTexts, compareQuantityTexts, isPositiveQuantity } from '../../validation/quantities.ts';
import type { PodSpec, ResourceList } from './pod-shapes.ts';

export type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const computeResources = ['cpu', 'memory'];

/** Whoever asks for resources: a container, or the pod for all of them. */
type Owner = Pick<PodSpec, 'resources'>;

/** How well a pod is treated when its node runs short: guaranteed is what asks for exactly as much as it may use. */
export function qualityOfService(spec: PodSpec): QualityOfService {
  const owners: readonly Owner[] =
    spec.resources === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : [spec];
  let asked = false;
  let limited = true;
  for (const { resources } of owners) {
    const limits = countOf(resources?.limits);
    if (limits < computeResources.length) limited = false;
    if (limits > 0 || countOf(resources?.requests) > 0) asked = true;
  }
  if (!asked) return 'BestEffort';
  // Sums are made only where they can decide.
  return limited && computeResources.every((name) => isRequestedInFull(owners, name)) ? 'Guaranteed' : 'Burstable';
}

/** How many of the resources count. */
function countOf(list: ResourceList | undefined): number {
  if (list === undefined) return 0;
  let count = 0;
  for (const name of computeResources) if (counts(list[name])) count++;
  return count;
}

function counts(amount: string | undefined): amount is string {
  return amount !== undefined && isPositiveQuantity(amount);
}

function isRequestedInFull(owners: readonly Owner[], name: string): boolean {
  let requested: string | undefined;
  let limited: string | undefined;
  for (const { resources } of owners) {
    const request = resources?.requests?.[name];
    const limit = resources?.limits?.[name];
    if (counts(request)) requested = addQuantityTexts(requested, request);
    if (counts(limit)) limited = addQuantityTexts(limited, limit);
  }
  if (requested === undefined || limited === undefined) return false;
  return compareQuantityTexts(limited, requested) === 0;
}
