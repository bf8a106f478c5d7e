import type { LabelRequirement } from './label-requirement.ts';
import { LabelSelector } from './label-selector.ts';

/** A selector as it stands in objects. */
export interface LabelSelectorValue {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** An empty one selects everything; where an absent one selects nothing is for the caller to know. */
export function selectorOf({ matchLabels, matchExpressions }: LabelSelectorValue): LabelSelector {
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
  return new LabelSelector([...equal, ...expressed]);
}
