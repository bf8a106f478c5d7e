import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { LabelRequirement } from '../../meta/label-requirement.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Projection } from '../../registry/resource-definition.ts';
import { Scale } from '../autoscaling/scale-v1-types.ts';

interface Scalable {
  readonly replicas?: number;
  readonly selector?: Selector | Readonly<Record<string, string>>;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: string[];
  }[];
}

/** How many there are to be, for every type that has `spec.replicas`, `status.replicas` and a selector. */
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

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** Replication controllers are older than selectors with expressions. */
function selectorText(kind: string | undefined, selector: Scalable['selector']): string {
  if (selector === undefined) return '';
  const { matchLabels, matchExpressions } = (
    kind === 'ReplicationController' ? { matchLabels: selector } : selector
  ) as Selector;
  const equal = Object.entries(matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: '=', values: [value] }),
  );
  const expressed = (matchExpressions ?? []).map(
    ({ key, operator, values = [] }): LabelRequirement => ({
      key,
      operator: operators[operator] ?? 'exists',
      values: [...new Set(values)].sort(),
    }),
  );
  return new LabelSelector([...equal, ...expressed]).toString();
}
