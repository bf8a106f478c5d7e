import { addQuantityTexts, compareQuantityTexts, isPositiveQuantity } from '../../validation/quantities.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceList } from '../resource-list.ts';

export type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const computeResources = ['cpu', 'memory'];

/** A container, or a pod with pod-level resources. */
type Owner = Pick<PodSpec, 'resources'>;

/** Returns the QoS class of a pod. It is `Guaranteed` if all limits are set and equal to the requests. */
export function qualityOfService(spec: PodSpec): QualityOfService {
  const owners: readonly Owner[] =
    spec.resources === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : [spec];
  let hasResources = false;
  let limited = true;
  for (const { resources } of owners) {
    const limits = countOf(resources?.limits);
    if (limits < computeResources.length) limited = false;
    if (limits > 0 || countOf(resources?.requests) > 0) hasResources = true;
  }
  if (!hasResources) return 'BestEffort';
  // Compared last, because adding up quantities is expensive.
  return limited && computeResources.every((name) => isRequestedInFull(owners, name)) ? 'Guaranteed' : 'Burstable';
}

/** Returns the number of compute resources with a positive amount. */
function countOf(list: ResourceList | undefined): number {
  if (list === undefined) return 0;
  let count = 0;
  for (const name of computeResources) if (isPositiveAmount(list[name])) count++;
  return count;
}

function isPositiveAmount(amount: string | undefined): amount is string {
  return amount !== undefined && isPositiveQuantity(amount);
}

function isRequestedInFull(owners: readonly Owner[], name: string): boolean {
  let requested: string | undefined;
  let limited: string | undefined;
  for (const { resources } of owners) {
    const request = resources?.requests?.[name];
    const limit = resources?.limits?.[name];
    if (isPositiveAmount(request)) requested = addQuantityTexts(requested, request);
    if (isPositiveAmount(limit)) limited = addQuantityTexts(limited, limit);
  }
  if (requested === undefined || limited === undefined) return false;
  return compareQuantityTexts(limited, requested) === 0;
}
