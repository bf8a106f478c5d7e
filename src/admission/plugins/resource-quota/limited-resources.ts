import type { ResourceObject } from '../../../meta/object.ts';
import type { Resources } from '../pod-resources.ts';
import { type Quota, type ScopeRequirement, scopesOf } from './quota.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** A type whose objects need a quota. */
export interface LimitedResource {
  readonly group: string;
  readonly resource: string;
  /** Usage whose name contains one of these texts must be limited by a quota. */
  readonly matchContains: readonly string[];
  /** An object within one of these scopes needs a quota with that scope. */
  readonly matchScopes: readonly ScopeRequirement[];
}

interface LimitedUse {
  readonly usage: Resources;
  readonly object: ResourceObject;
  readonly evaluator: QuotaEvaluator;
  /** The quotas that cover the object. */
  readonly quotas: readonly Quota[];
}

/** The error for usage that needs a quota and has none. */
export function uncoveredUsage(
  limited: readonly LimitedResource[],
  { usage, object, evaluator, quotas }: LimitedUse,
): string | undefined {
  if (limited.length === 0) return undefined;
  const covered = new Set(quotas.flatMap(({ status }) => Object.keys(status?.hard ?? {})));
  const needed = Object.keys(usage).filter((name) =>
    limited.some(({ matchContains }) => matchContains.some((text) => name.includes(text))),
  );
  const uncovered = needed.filter((name) => !covered.has(name)).sort();
  if (uncovered.length > 0) return `insufficient quota to consume: ${uncovered.join(',')}`;
  const known = new Set(quotas.flatMap(scopesOf).map(({ scopeName }) => scopeName));
  const scopes = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => evaluator.isInScope?.(object, scope) === true && !known.has(scope.scopeName));
  if (scopes.length === 0) return undefined;
  return `insufficient quota to match these scopes: [${scopes.map(scopeText).join(' ')}]`;
}

function scopeText({ scopeName = '', operator = '', values = [] }: ScopeRequirement): string {
  return `{${scopeName} ${operator} [${values.join(' ')}]}`;
}
