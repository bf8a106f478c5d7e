import { type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import type { PartRules } from '../../../registry/resource-definition.ts';
import type { Container, PodSpec, ResourceList } from './pod-shapes.ts';
import { validatePodContent } from './pod-validation.ts';
import { qualityOfService } from './quality-of-service.ts';
import { isSameValue } from './same-value.ts';

/** The resize subresource changes the resources of the containers of a running pod, and nothing else. */
export const resizePart: PartRules = {
  countsGeneration: true,
  prepare(sent, stored) {
    const wanted = (sent.spec ?? {}) as PodSpec;
    const spec = (stored.spec ?? {}) as PodSpec;
    return {
      ...stored,
      spec: {
        ...spec,
        containers: resized(spec.containers, wanted.containers),
        initContainers: resized(spec.initContainers, wanted.initContainers),
        resources: wanted.resources ?? spec.resources,
      },
    };
  },
  validate(next, stored) {
    const errors: FieldError[] = [];
    validatePodContent(next, errors);
    const spec = (next.spec ?? {}) as PodSpec;
    const previous = (stored.spec ?? {}) as PodSpec;
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
    if (!isSameValue(withoutSizes(spec), withoutSizes(previous))) {
      errors.push(forbiddenValue('spec', 'only cpu and memory resources are mutable'));
    }
    return errors;
  },
};

type Containers = PodSpec['containers'];

function resized(stored: Containers, sent: Containers): Containers {
  return stored?.map((container, index) => {
    const wanted = sent?.[index];
    if (wanted === undefined || wanted.name !== container.name) return container;
    return { ...container, resources: wanted.resources, resizePolicy: wanted.resizePolicy } as Container;
  });
}

type Sizes = NonNullable<Container['resources']>;

function removalErrors(path: string, next: Sizes, stored: Sizes): FieldError[] {
  const errors: FieldError[] = [];
  if (lacksSome(next.requests, stored.requests)) {
    errors.push(forbiddenValue(`${path}.requests`, 'resource requests cannot be removed'));
  }
  if (lacksSome(next.limits, stored.limits)) {
    errors.push(forbiddenValue(`${path}.limits`, 'resource limits cannot be removed'));
  }
  return errors;
}

function lacksSome(next: ResourceList = {}, stored: ResourceList = {}): boolean {
  return Object.keys(stored).some((name) => next[name] === undefined);
}

/** Returns the spec without cpu and memory amounts. */
function withoutSizes(spec: PodSpec): unknown {
  const others = (list: ResourceList = {}) =>
    Object.fromEntries(Object.entries(list).filter(([name]) => name !== 'cpu' && name !== 'memory'));
  const stripped = (sizes: Sizes | undefined) =>
    sizes && { ...sizes, requests: others(sizes.requests), limits: others(sizes.limits) };
  const each = (containers: Containers) =>
    containers?.map((container) => ({ ...container, resources: stripped(container.resources ?? {}) }));
  return {
    ...spec,
    containers: each(spec.containers),
    initContainers: each(spec.initContainers),
    resources: stripped(spec.resources as Sizes | undefined),
  };
}
