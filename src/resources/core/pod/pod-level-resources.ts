import { addQuantityTexts, greaterQuantity } from '../../validation/quantities.ts';
import { isHugePagesResource, isOvercommitAllowed } from '../../validation/resource-names.ts';
import type { Container } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceList } from '../resource-list.ts';
import { sortedMap } from './sorted-map.ts';

/** Returns whether the resource can be set for the pod as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePagesResource(name);
}

/** Fills in missing pod-level resources from the containers, if the pod sets any pod-level resources. */
export function setPodLevelResourceDefaults(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const limits = { ...resources.limits };
  if (Object.keys(limits).length > 0 || Object.keys(resources.requests ?? {}).length > 0) {
    addMissing(limits, aggregateResources(spec, 'limits'), isHugePagesResource);
  }
  const known = Object.keys(limits).length;
  if (known === 0) return;
  if (known > Object.keys(resources.limits ?? {}).length) resources.limits = sortedMap(limits);
  const requests = { ...resources.requests };
  const sums = aggregateResources(spec, 'requests');
  addMissing(requests, sums, (name) => isPodLevelResource(name) && isOvercommitAllowed(name));
  addMissing(requests, limits, isPodLevelResource);
  if (Object.keys(requests).length > 0) resources.requests = sortedMap(requests);
}

function addMissing(target: ResourceList, source: ResourceList, applies: (name: string) => boolean): void {
  for (const name in source) {
    if (!Object.hasOwn(target, name) && applies(name)) target[name] = source[name]!;
  }
}

/**
 * Returns the total resources of the containers of a pod. For each resource this is the greater of two values: the sum
 * over regular containers and sidecars, and the peak during initialization. The peak is the largest sum of one init
 * container and the sidecars that start before it.
 */
export function aggregateResources(spec: PodSpec, kind: 'limits' | 'requests'): ResourceList {
  const total: ResourceList = {};
  for (const container of spec.containers ?? []) add(total, container.resources?.[kind]);
  const sidecars: ResourceList = {};
  const peak: ResourceList = {};
  for (const container of spec.initContainers ?? []) {
    const own = container.resources?.[kind];
    if (isSidecar(container)) {
      add(total, own);
      add(sidecars, own);
      raise(peak, sidecars);
    } else {
      const together = { ...sidecars };
      add(together, own);
      raise(peak, together);
    }
  }
  raise(total, peak);
  return total;
}

/** Returns whether an init container keeps running beside the regular containers. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function add(total: ResourceList, added: ResourceList | undefined): void {
  for (const name in added) total[name] = addQuantityTexts(total[name], added[name]);
}

function raise(total: ResourceList, other: ResourceList): void {
  for (const name in other) total[name] = greaterQuantity(total[name], other[name]!);
}
