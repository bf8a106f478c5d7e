import type { ObjectMeta } from '../../meta/object.ts';
import type { StructSchema } from '../../schema/model.ts';
import { isOfType } from '../../schema/normalize/index.ts';

/**
 * v1 has only one metric, the CPU utilization. v1 objects carry all other fields of v2 in annotations, which are
 * removed before an object is stored.
 */
export const annotationNames = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

/** Replaces all round-trip annotations, so that annotations written by a client do not survive. */
export function withAnnotations(metadata: ObjectMeta, added: Record<string, string>): ObjectMeta {
  const annotations = { ...metadata.annotations };
  for (const name of Object.values(annotationNames)) {
    delete annotations[name];
  }
  Object.assign(annotations, added);
  return { ...metadata, annotations: Object.keys(annotations).length > 0 ? annotations : undefined };
}

/** Returns the parsed annotation. Invalid JSON is ignored. */
export function annotated(metadata: ObjectMeta, name: string): unknown {
  const text = metadata.annotations?.[name];
  if (text === undefined) {
    return {};
  }
  try {
    // In these annotations null means unset.
    return JSON.parse(text, (_, value) => (value === null ? undefined : value));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return {};
    }
    throw error;
  }
}

/** Returns no values when any has the wrong type. Clients can write anything into annotations. */
export function ofType<T>(schema: StructSchema, values: T[]): T[] {
  return values.every((value) => isOfType(schema, value)) ? values : [];
}

export function annotatedList<T>(metadata: ObjectMeta, name: string): T[] {
  const parsed = annotated(metadata, name);
  const items = Array.isArray(parsed) ? [...parsed] : [];
  return items.every((item) => typeof item === 'object') ? items : [];
}
