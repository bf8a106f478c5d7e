import type { ResourceObject } from '../../../meta/object.ts';
import { copyExactQuantity } from '../../../schema/exact-quantity.ts';
import type { Container } from '../container-types.ts';
import type { PodStatus } from '../pod-status-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { ResourceRequirements } from '../resource-requirement-types.ts';
import { setPodLevelResourceDefaults } from './pod-level-resources.ts';
import { dropObsoleteAnnotations, setPodSpecDefaults } from './pod-spec-defaults.ts';
import { syncPodIps } from './pod-status-preparation.ts';
import { sortedMap } from './sorted-map.ts';

/** Sets the defaults of a pod: those of a pod template, and those that only pods have. */
export function setPodDefaults(pod: ResourceObject): void {
  dropObsoleteAnnotations(pod.metadata);
  if (pod.status !== undefined) syncPodIps(pod.status as PodStatus);
  const spec = pod.spec as PodSpec | undefined;
  if (spec === undefined) return;
  // A negative grace period means one second.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of spec.containers ?? []) setRequestsFromLimits(container.resources);
  for (const container of spec.initContainers ?? []) setRequestsFromLimits(container.resources);
  setPodLevelResourceDefaults(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) {
    for (const container of spec.containers ?? []) setHostPorts(container);
    for (const container of spec.initContainers ?? []) setHostPorts(container);
  }
  setPodSpecDefaults(spec);
}

/** A limit without a request sets the request to the limit. */
function setRequestsFromLimits(resources: ResourceRequirements | undefined): void {
  const { limits, requests } = resources ?? {};
  if (resources === undefined || limits === undefined) return;
  const isRequested = (name: string): boolean => requests !== undefined && Object.hasOwn(requests, name);
  let merged = requests;
  for (const name in limits) {
    if (isRequested(name)) continue;
    if (merged === requests) merged = { ...requests };
    merged![name] = limits[name]!;
  }
  if (merged === requests) return;
  const sorted = sortedMap(merged!);
  for (const name in sorted) copyExactQuantity(isRequested(name) ? requests! : limits, sorted, name);
  resources.requests = sorted;
}

/** With host networking, a container port is also a port of the node. */
function setHostPorts({ ports }: Container): void {
  for (const port of ports ?? []) port.hostPort ??= port.containerPort || undefined;
}
