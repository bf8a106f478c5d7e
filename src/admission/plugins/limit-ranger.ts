import { joinedErrors } from '../../meta/joined-errors.ts';
import { mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';
import { type LimitItem, limitErrors } from './limit-range-check.ts';
import { mergedMap } from './merged-map.ts';
import {
  type Container,
  containerGroups,
  type PodSpec,
  podResources,
  type ResourceNeeds,
  type Resources,
} from './pod-resources.ts';

const limitRanges = { group: '', version: 'v1', resource: 'limitranges' };
const annotation = 'kubernetes.io/limit-ranger';

/**
 * Enforces the LimitRanges of a namespace: sets default requests and limits of containers, and rejects values outside
 * the range.
 */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  rules: [
    // The resources of a pod change only by a resize.
    { operations: ['CREATE'], resources: ['/pods'] },
    { operations: ['UPDATE'], resources: ['/pods/resize'] },
    { operations: ['CREATE', 'UPDATE'], resources: ['/persistentvolumeclaims'] },
  ],
  mutate(request, objects) {
    if (request.resource.resource !== 'pods' || isDeleted(request)) return;
    return mapMaybe(rangesOf(request, objects), (ranges) => {
      for (const range of ranges) setDefaults(request.object, limitsOf(range));
    });
  },
  validate(request, objects) {
    if (isDeleted(request)) return;
    return mapMaybe(rangesOf(request, objects), (ranges) => {
      for (const range of ranges) checkLimits(request, limitsOf(range));
    });
  },
};

/** No limit may keep an object from being removed. */
function isDeleted({ oldObject }: AdmissionRequest): boolean {
  return oldObject?.metadata.deletionTimestamp !== undefined;
}

function checkLimits(request: AdmissionRequest, limits: readonly LimitItem[]): void {
  const errors = errorsOf(request, limits);
  if (errors.length > 0) throw admissionForbidden(request, joinedErrors(errors));
}

function rangesOf({ namespace }: AdmissionRequest, objects: ObjectReader): ReturnType<ObjectReader['list']> {
  return objects.list(limitRanges, namespace);
}

function limitsOf(range: ResourceObject): readonly LimitItem[] {
  return (range.spec as { readonly limits?: LimitItem[] } | undefined)?.limits ?? [];
}

function setDefaults(pod: ResourceObject, limits: readonly LimitItem[]): void {
  const requests: Record<string, string> = {};
  const maxima: Record<string, string> = {};
  for (const { type, defaultRequest, default: defaultLimit } of limits) {
    if (type !== 'Container') continue;
    Object.assign(requests, defaultRequest);
    Object.assign(maxima, defaultLimit);
  }
  const notes: string[] = [];
  for (const { label, containers } of containerGroups((pod.spec ?? {}) as PodSpec)) {
    for (const container of containers) notes.push(...completeContainer(container, { label, requests, maxima }));
  }
  if (notes.length === 0) return;
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  pod.metadata.annotations = mergedMap(pod.metadata.annotations, { [annotation]: text });
}

interface Defaults {
  /** The name of this group of containers. */
  readonly label: string;
  readonly requests: Resources;
  readonly maxima: Resources;
}

/** Sets defaults and returns descriptions of them. */
function completeContainer(container: Container, { label, requests, maxima }: Defaults): string[] {
  const resources = container.resources ?? {};
  const notes: string[] = [];
  const complete = (
    present: Resources | null | undefined,
    defaults: Resources,
    what: string,
  ): Resources | null | undefined => {
    const missing = Object.keys(defaults)
      .filter((name) => present?.[name] === undefined)
      .sort();
    if (missing.length === 0) return present;
    notes.push(`${missing.join(', ')} ${what} for ${label} ${container.name}`);
    return mergedMap(present ?? {}, Object.fromEntries(missing.map((name) => [name, defaults[name]!])));
  };
  const completedRequests = complete(resources.requests, requests, 'request');
  const completedLimits = complete(resources.limits, maxima, 'limit');
  // Keep the field order of the stored form.
  const { limits: _limits, requests: _requests, ...others } = resources;
  container.resources = {
    ...(completedLimits && { limits: completedLimits }),
    ...(completedRequests && { requests: completedRequests }),
    ...others,
  };
  return notes;
}

function errorsOf({ resource: { resource }, object }: AdmissionRequest, limits: readonly LimitItem[]): string[] {
  if (resource === 'persistentvolumeclaims') {
    const { resources } = (object.spec ?? {}) as { resources?: ResourceNeeds | null };
    const claims = limits.filter(({ type }) => type === 'PersistentVolumeClaim');
    return claims.flatMap((limit) => limitErrors(limit, { requests: resources?.requests ?? {}, limits: undefined }));
  }
  const spec = (object.spec ?? {}) as PodSpec;
  return limits.flatMap((limit) => {
    if (limit.type === 'Pod') return limitErrors(limit, podResources(spec));
    if (limit.type !== 'Container') return [];
    return containerGroups(spec).flatMap(({ containers }) =>
      containers.flatMap(({ resources }) =>
        limitErrors(limit, { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} }),
      ),
    );
  });
}
