import { isDeepStrictEqual } from 'node:util';
import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { admissionForbidden } from './admission-forbidden.ts';

const runtimeClasses = { group: 'node.k8s.io', version: 'v1', resource: 'runtimeclasses' };

type Resources = Readonly<Record<string, string>>;

interface RuntimeClass extends ResourceObject {
  readonly overhead?: { readonly podFixed?: Resources };
  readonly scheduling?: { readonly nodeSelector?: Readonly<Record<string, string>>; readonly tolerations?: unknown[] };
}

interface PodSpec {
  readonly runtimeClassName?: string;
  readonly overhead?: Resources;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: unknown[];
}

/** Sets the overhead and scheduling constraints of a pod from its runtime class, their only source. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  rules: [{ operations: ['CREATE'], resources: ['/pods'] }],
  mutate(request, objects) {
    const spec = (request.object.spec ?? {}) as PodSpec;
    return withRuntimeClass(request, { objects, name: spec.runtimeClassName }, (found) => {
      if (found === undefined) return;
      checkOverhead(request, spec, found);
      request.object.spec = completed(request, spec, found);
    });
  },
  /** The names and amounts of the overhead are valid here: this runs after the validation of the pod. */
  validate(request, objects) {
    const spec = (request.object.spec ?? {}) as PodSpec;
    if (!hasOverhead(spec)) return;
    return withRuntimeClass(request, { objects, name: spec.runtimeClassName }, (found) => {
      if (found?.overhead?.podFixed === undefined) {
        throw admissionForbidden(
          request,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        );
      }
      checkOverhead(request, spec, found);
    });
  },
};

function hasOverhead({ overhead }: PodSpec): boolean {
  return Object.keys(overhead ?? {}).length > 0;
}

function checkOverhead(request: AdmissionRequest, spec: PodSpec, { overhead }: RuntimeClass): void {
  const defined = overhead?.podFixed;
  if (defined === undefined || !hasOverhead(spec) || isSame(spec.overhead!, defined)) return;
  throw admissionForbidden(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

/** Calls back with undefined for a pod without a runtime class. */
function withRuntimeClass(
  request: AdmissionRequest,
  { objects, name }: { readonly objects: ObjectReader; readonly name: string | undefined },
  use: (found: RuntimeClass | undefined) => void,
): MaybePromise<void> {
  if (name === undefined) return use(undefined);
  return mapMaybe(objects.get(runtimeClasses, { namespace: '', name }), (found) => {
    if (found === undefined) throw admissionForbidden(request, `pod rejected: RuntimeClass "${name}" not found`);
    use(found as RuntimeClass);
  });
}

function isSame(left: Resources, right: Resources): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const other = right[name];
    return other !== undefined && compareQuantities(parseQuantity(left[name]!), parseQuantity(other)) === 0;
  });
}

function completed(request: AdmissionRequest, spec: PodSpec, { overhead, scheduling }: RuntimeClass): PodSpec {
  const next = { ...spec, ...(overhead?.podFixed && { overhead: overhead.podFixed }) };
  if (scheduling === undefined) return next;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own === undefined || own === value) continue;
    throw admissionForbidden(
      request,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  const own = spec.tolerations ?? [];
  const added = tolerations.filter((toleration) => !own.some((known) => isDeepStrictEqual(known, toleration)));
  return {
    ...next,
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
    ...(added.length > 0 && { tolerations: [...own, ...added] }),
  };
}
