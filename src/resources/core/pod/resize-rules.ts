import { type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import type { SubresourceRules } from '../../../registry/resource-definition.ts';
import { isSameOfType } from '../../validation/same-of-type.ts';
import type { Container } from '../container-types.ts';
import { PodSpec } from '../pod-types.ts';
import type { ResourceList } from '../resource-list.ts';
import { validatePodContent } from './pod-validation.ts';
import { qualityOfService } from './quality-of-service.ts';

/** The resize subresource changes the resources of the containers of a running pod, and nothing else. */
export const resizeRules: SubresourceRules = {
  countsGeneration: true,
  checks: ['metadataChange', 'metadata', 'change'],
  prepare(sent, oldObject) {
    const requested = (sent.spec ?? {}) as PodSpec;
    const spec = (oldObject.spec ?? {}) as PodSpec;
    return {
      ...oldObject,
      spec: {
        ...spec,
        containers: resized(spec.containers, requested.containers),
        initContainers: resized(spec.initContainers, requested.initContainers),
        resources: requested.resources ?? spec.resources,
      },
    };
  },
  validate(next, oldObject) {
    const errors: FieldError[] = [];
    validatePodContent(next, errors);
    const spec = (next.spec ?? {}) as PodSpec;
    const previous = (oldObject.spec ?? {}) as PodSpec;
    const renamed = renamedContainers(spec, previous);
    if (renamed.length > 0) return [...errors, ...renamed];
    const quality = qualityOfService(previous);
    if (qualityOfService(spec) !== quality) {
      errors.push(invalidValue('spec', quality, 'Pod QOS Class may not change as a result of resizing'));
    }
    for (const field of ['containers', 'initContainers'] as const) {
      const before = previous[field] ?? [];
      for (const [index, { resources }] of (spec[field] ?? []).entries()) {
        const path = `spec.${field}[${index}].resources`;
        errors.push(...removalErrors(path, resources ?? {}, before[index]?.resources ?? {}));
      }
    }
    if (!isSameOfType(PodSpec, withoutCpuAndMemory(spec), withoutCpuAndMemory(previous))) {
      errors.push(forbiddenValue('spec', 'only cpu and memory resources are mutable'));
    }
    return errors;
  },
};

type Containers = PodSpec['containers'];

function resized(oldContainers: Containers, sent: Containers): Containers {
  return oldContainers?.map((container, index) => {
    const requested = sent?.[index];
    if (requested === undefined) return container;
    const { name, resources, resizePolicy } = requested;
    return { ...container, name, resources, resizePolicy } as Container;
  });
}

function renamedContainers(spec: PodSpec, previous: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap(({ name }, index) => {
      if (name === previous[field]?.[index]?.name) return [];
      const path = `spec.${field}[${index}].name`;
      return [forbiddenValue(path, 'containers may not be renamed or reordered on resize')];
    }),
  );
}

type Sizes = NonNullable<Container['resources']>;

function removalErrors(path: string, next: Sizes, oldResources: Sizes): FieldError[] {
  const errors: FieldError[] = [];
  if (isMissingAny(next.requests, oldResources.requests)) {
    errors.push(forbiddenValue(`${path}.requests`, 'resource requests cannot be removed'));
  }
  if (isMissingAny(next.limits, oldResources.limits)) {
    errors.push(forbiddenValue(`${path}.limits`, 'resource limits cannot be removed'));
  }
  return errors;
}

function isMissingAny(next: ResourceList = {}, old: ResourceList = {}): boolean {
  return Object.keys(old).some((name) => next[name] === undefined);
}

/** Returns the spec without cpu and memory amounts. */
function withoutCpuAndMemory(spec: PodSpec): unknown {
  const others = (list: ResourceList = {}) =>
    Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'cpu' && name !== 'memory'));
  const stripped = (sizes: Sizes) => ({ ...sizes, requests: others(sizes.requests), limits: others(sizes.limits) });
  const each = (containers: Containers) =>
    containers?.map((container) => ({ ...container, resources: stripped(container.resources ?? {}) }));
  return {
    ...spec,
    containers: each(spec.containers),
    initContainers: each(spec.initContainers),
    // A resize may give a pod its first own resources.
    resources: stripped((spec.resources ?? {}) as Sizes),
  };
}
