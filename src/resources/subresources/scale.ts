import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { type ObjectLabelSelector, objectLabelSelector } from '../../meta/object-label-selector.ts';
import type { Projection } from '../../registry/resource-definition.ts';
import { Scale } from '../autoscaling/scale-v1-types.ts';

interface Scalable {
  readonly replicas?: number;
  readonly selector?: ObjectLabelSelector | Readonly<Record<string, string>>;
}

/** The scale subresource of types that have `spec.replicas`, `status.replicas` and a selector. */
export const scaleProjection: Projection = {
  schema: Scale,
  field: ['spec', 'replicas'],
  view(object) {
    const spec = (object.spec ?? {}) as Scalable;
    const status = (object.status ?? {}) as { readonly replicas?: number };
    return {
      metadata: object.metadata,
      spec: { replicas: spec.replicas ?? 0 },
      status: { replicas: status.replicas ?? 0, selector: selectorText(object.kind, spec.selector) },
    };
  },
  validate(sent): FieldError[] {
    const { replicas = 0 } = (sent.spec ?? {}) as Scalable;
    return replicas < 0 ? [invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')] : [];
  },
  apply(object: ResourceObject, sent: ResourceObject): void {
    const { replicas = 0 } = (sent.spec ?? {}) as Scalable;
    object.spec = { ...(object.spec as object), replicas };
  },
};

/** The selector of a replication controller is a plain map of labels. */
function selectorText(kind: string | undefined, selector: Scalable['selector']): string {
  if (selector === undefined) return '';
  const value = (kind === 'ReplicationController' ? { matchLabels: selector } : selector) as ObjectLabelSelector;
  return objectLabelSelector(value).toString();
}
