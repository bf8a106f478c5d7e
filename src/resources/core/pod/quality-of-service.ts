import { addQuantityTexts, compareQuantityTexts, isPositiveQuantity } from '../../validation/quantities.ts';
import type { PodSpec, ResourceList } from './pod-shapes.ts';

export type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const computeResources = ['cpu', 'memory'];

/** How well a pod is treated when its node runs short: guaranteed is what asks for exactly as much as it may use. */
export function qualityOfService(spec: PodSpec): QualityOfService {
  const requests: ResourceList = {};
  const limits: ResourceList = {};
  let guaranteed = true;
  const owners = spec.resources === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : [spec];
  for (const { resources } of owners) {
    add(requests, resources?.requests);
    if (add(limits, resources?.limits) < computeResources.length) guaranteed = false;
  }
  const requested = Object.keys(requests);
  const limited = Object.keys(limits);
  if (requested.length === 0 && limited.length === 0) return 'BestEffort';
  if (!guaranteed || requested.length !== limited.length) return 'Burstable';
  const equal = requested.every((name) => {
    const limit = limits[name];
    return limit !== undefined && compareQuantityTexts(limit, requests[name]!) === 0;
  });
  return equal ? 'Guaranteed' : 'Burstable';
}

/** Returns how many of the resources count. */
function add(total: ResourceList, part: ResourceList | undefined): number {
  let count = 0;
  for (const name of computeResources) {
    const amount = part?.[name];
    if (amount === undefined || !isPositiveQuantity(amount)) continue;
    total[name] = addQuantityTexts(total[name], amount);
    count++;
  }
  return count;
}
