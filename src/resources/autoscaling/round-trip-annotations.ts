import type { ObjectMeta } from '../../meta/object.ts';
import type { StructSchema } from '../../schema/model.ts';
import { isOfType } from '../../schema/normalize/index.ts';

/**
 * v1 knows one metric, the utilization of cpu. What else v2 says travels through v1 in annotations, which the stored
 * object does not have.
 */
export const annotationNames = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

/** Replaces whatever round-trip annotations there are: those that a client made up must not survive. */
export function withAnnotations(metadata: ObjectMeta, added: Record<string, string>): ObjectMeta {
  const annotations = { ...metadata.annotations };
  for (const name of Object.values(annotationNames)) {
    delete annotations[name];
  }
  Object.assign(annotations, added);
  return { ...metadata, annotations: Object.keys(annotations).length > 0 ? annotations : undefined };
}

/** An annotation that is no JSON says nothing. */
export function annotated(metadata: ObjectMeta, name: string): unknown {
  const text = metadata.annotations?.[name];
  if (text === undefined) {
    return {};
  }
  try {
    // For the annotations null is the same as unset.
    return JSON.parse(text, (_, value) => (value === null ? undefined : value));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return {};
    }
    throw error;
  }
}

/** Clients can write anything into annotations. What is of a wrong type says nothing, either. */
export function ofType<T>(schema: StructSchema, values: T[]): T[] {
  return values.every((value) => isOfType(schema, value)) ? values : [];
}

export function annotatedList<T>(metadata: ObjectMeta, name: string): T[] {
  const parsed = annotated(metadata, name);
  const items = Array.isArray(parsed) ? [...parsed] : [];
  return items.every((item) => typeof item === 'object') ? items : [];
}
