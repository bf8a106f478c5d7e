import type { ResourceObject } from '../../../meta/object.ts';
import type { Resources } from '../pod-resources.ts';

export interface Quota extends ResourceObject {
  readonly spec?: {
    readonly scopes?: readonly string[];
    readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeRequirement[] };
  };
  readonly status?: { readonly hard?: Resources; readonly used?: Resources };
}

/** A condition for the objects that a quota covers. */
export interface ScopeRequirement {
  readonly scopeName?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export function scopesOf({ spec }: Quota): readonly ScopeRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

/** Whether the requirement holds for an object with this value, or without one. */
export function matchesRequirement({ operator, values = [] }: ScopeRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    default:
      return false;
  }
}
