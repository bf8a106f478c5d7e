import type { LabelOperator } from './label-requirement.ts';
import { LabelSelector } from './label-selector.ts';

/** A label selector as objects store it, such as `spec.selector`. */
export interface ObjectLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** Converts a valid selector. An empty one selects every object. */
export function objectLabelSelector({ matchLabels = {}, matchExpressions = [] }: ObjectLabelSelector): LabelSelector {
  return new LabelSelector([
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: '=' as const, values: [value] })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({
      key,
      operator: operators[operator] ?? 'exists',
      values: [...new Set(values)].sort(),
    })),
  ]);
}
