import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ObjectReader } from '../../meta/object-reader.ts';
import { notFound, StatusError } from '../../meta/status-error.ts';
import type { AdmissionPlugin } from '../admission-plugin.ts';
import type { AdmissionRequest } from '../admission-request.ts';
import { namespaces } from './namespaces.ts';
import { isBestEffort, type PodSpec } from './pod-resources.ts';
import { includes, mergedTolerations, readTolerations, type Toleration } from './tolerations.ts';

/** The tolerations for namespaces without annotations. An empty list of allowed tolerations allows all. */
export interface TolerationConfiguration {
  readonly defaults: readonly Toleration[];
  readonly allowed: readonly Toleration[];
}

const defaultAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const allowedAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const memoryPressure: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** Adds the default tolerations of a namespace to its pods, and rejects those that it does not allow. */
export function podTolerationRestriction(configuration: TolerationConfiguration): AdmissionPlugin {
  return {
    name: 'PodTolerationRestriction',
    rules: [{ operations: ['CREATE', 'UPDATE'], resources: ['/pods'] }],
    mutate: (request, objects) =>
      mapMaybe(namespaceOf(request, objects), (namespace) => {
        const { object, operation } = request;
        const defaults = annotated(namespace, defaultAnnotation) ?? configuration.defaults;
        const added = [
          ...(operation === 'CREATE' ? defaults : []),
          // Such a pod is not the first to be evicted when memory is short.
          ...(isBestEffort((object.spec ?? {}) as PodSpec) ? [] : [memoryPressure]),
        ];
        if (added.length === 0) return;
        const spec = object.spec as object | undefined;
        object.spec = { ...spec, tolerations: mergedTolerations(tolerationsOf(object), added) };
      }),
    validate: (request, objects) => {
      const tolerations = tolerationsOf(request.object);
      if (tolerations.length === 0) return;
      return mapMaybe(namespaceOf(request, objects), (namespace) => {
        const allowed = annotated(namespace, allowedAnnotation) ?? configuration.allowed;
        if (allowed.length === 0) return;
        if (tolerations.every((toleration) => allowed.some((wider) => includes(wider, toleration)))) return;
        throw failure(
          'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
        );
      });
    },
  };
}

function namespaceOf({ namespace: name }: AdmissionRequest, objects: ObjectReader): MaybePromise<ResourceObject> {
  return mapMaybe(objects.get(namespaces, { namespace: '', name }), (namespace) => {
    if (namespace === undefined) throw notFound(namespaces, name);
    return namespace;
  });
}

/** Undefined when the namespace does not have the annotation. Throws a StatusError when it cannot be read. */
function annotated({ metadata }: ResourceObject, key: string): readonly Toleration[] | undefined {
  const text = metadata.annotations?.[key];
  if (text === undefined) return undefined;
  if (text === '') return [];
  try {
    return readTolerations(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw failure(`annotation ${key} of namespace ${metadata.name}: ${error.message}`);
  }
}

function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

function tolerationsOf({ spec }: ResourceObject): readonly Toleration[] {
  return ((spec ?? {}) as { tolerations?: readonly Toleration[] | null }).tolerations ?? [];
}
