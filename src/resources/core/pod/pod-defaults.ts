import type { ResourceObject } from '../../../meta/object.ts';
import { setPodLevelResourceDefaults } from './pod-level-resources.ts';
import type { Container, PodSpec, ResourceRequirements } from './pod-shapes.ts';
import { dropForgottenAnnotations, setPodSpecDefaults } from './pod-spec-defaults.ts';
import { alignAddresses, type PodStatus } from './pod-status-preparation.ts';
import { sortedMap } from './sorted-map.ts';

/** Sets the defaults of a pod: those of a pod template, and those that only pods have. */
export function setPodDefaults(pod: ResourceObject): void {
  dropForgottenAnnotations(pod.metadata);
  if (pod.status !== undefined) alignAddresses(pod.status as PodStatus);
  const spec = pod.spec as PodSpec | undefined;
  if (spec === undefined) return;
  // A negative grace period means one second.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of spec.containers ?? []) requestLimits(container.resources);
  for (const container of spec.initContainers ?? []) requestLimits(container.resources);
  setPodLevelResourceDefaults(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) {
    for (const container of spec.containers ?? []) openHostPorts(container);
    for (const container of spec.initContainers ?? []) openHostPorts(container);
  }
  setPodSpecDefaults(spec);
}

/** A limit without a request sets the request to the limit. */
function requestLimits(resources: ResourceRequirements | undefined): void {
  const { limits, requests } = resources ?? {};
  if (resources === undefined || limits === undefined) return;
  let merged = requests;
  for (const name in limits) {
    if (requests !== undefined && Object.hasOwn(requests, name)) continue;
    if (merged === requests) merged = { ...requests };
    merged![name] = limits[name]!;
  }
  if (merged !== requests) resources.requests = sortedMap(merged!);
}

/** With host networking, a container port is also a port of the node. */
function openHostPorts({ ports }: Container): void {
  for (const port of ports ?? []) port.hostPort ??= port.containerPort || undefined;
}
