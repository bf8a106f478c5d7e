import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import { exactQuantity } from '../../schema/exact-quantity.ts';
import { explicitValue } from '../../schema/explicit-empty.ts';
import { immutableDetail } from '../validation/immutable.ts';
import { validateResourceName, validateResourceQuantity } from '../validation/resource-names.ts';
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from './quota-types.ts';
import type { ResourceList } from './resource-list.ts';
import { fitsScope, isQuotaResource, isQuotaScope } from './resource-quota-scopes.ts';

export function validateQuotaSpec(spec: ResourceQuotaSpec): FieldError[] {
  return [...validateQuotaAmounts(spec.hard, 'spec.hard'), ...scopeErrors(spec), ...selectorErrors(spec)];
}

export function validateQuotaAmounts(amounts: ResourceList | undefined, path: string): FieldError[] {
  return Object.keys(amounts ?? {}).flatMap((name) => {
    const at = `${path}[${name}]`;
    return [...nameErrors(name, at), ...validateResourceQuantity(name, exactQuantity(amounts!, name), at)];
  });
}

function nameErrors(name: string, path: string): FieldError[] {
  // Requests of huge pages are valid in quotas only.
  const errors = name.startsWith('requests.hugepages-')
    ? labelKeyErrors(name).map((detail) => invalidValue(path, name, detail))
    : validateResourceName(name, path);
  if (!name.includes('/') && !isQuotaResource(name)) {
    errors.push(invalidValue(path, name, 'must be a standard resource for quota'));
  }
  return errors;
}

const contradictions = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

function contradictionErrors(scopeNames: readonly string[], scopes: string[] | undefined, path: string): FieldError[] {
  return contradictions
    .filter((pair) => pair.every((scope) => scopeNames.includes(scope)))
    .map(() => invalidValue(path, scopes, 'conflicting scopes'));
}

function scopeErrors({ hard = {}, scopes }: ResourceQuotaSpec): FieldError[] {
  if (!scopes) return [];
  const path = 'spec.scopes';
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!isQuotaScope(scope)) errors.push(invalidValue(path, scopes, 'unsupported scope'));
    for (const name of Object.keys(hard)) {
      if (!fitsScope(name, scope)) errors.push(invalidValue(path, scopes, 'unsupported scope applied to resource'));
    }
  }
  return [...errors, ...contradictionErrors(scopes, scopes, path)];
}

const scopesOfExists: ReadonlySet<string> = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);
const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

function selectorErrors({ hard = {}, scopes, scopeSelector }: ResourceQuotaSpec): FieldError[] {
  const requirements = scopeSelector?.matchExpressions ?? [];
  const path = 'spec.scopeSelector.matchExpressions';
  const errors: FieldError[] = [];
  for (const requirement of requirements) {
    const { scopeName = '', operator = '' } = requirement;
    if (!isQuotaScope(scopeName)) errors.push(invalidValue(`${path}.scopeName`, scopeName, 'unsupported scope'));
    for (const name of Object.keys(hard)) {
      if (fitsScope(name, scopeName)) continue;
      errors.push(invalidValue(path, internalSelector(requirements), 'unsupported scope applied to resource'));
    }
    if (scopesOfExists.has(scopeName) && operator !== 'Exists') {
      errors.push(invalidValue(`${path}.operator`, operator, onlyExists));
    }
    errors.push(...operatorErrors(requirement, path));
  }
  const scopeNames = requirements.map(({ scopeName = '' }) => scopeName);
  return [...errors, ...contradictionErrors(scopeNames, scopes, path)];
}

function operatorErrors({ operator = '', values }: ScopedResourceSelectorRequirement, path: string): FieldError[] {
  const count = values?.length ?? 0;
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return count === 0 ? [requiredValue(`${path}.values`, detail)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return count > 0 ? [invalidValue(`${path}.values`, values, detail)] : [];
    }
    default:
      return [invalidValue(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** Messages show the Go names of the fields. */
function internalSelector(requirements: readonly ScopedResourceSelectorRequirement[]): unknown {
  return {
    MatchExpressions: requirements.map((requirement) => ({
      ScopeName: requirement.scopeName ?? '',
      Operator: requirement.operator ?? '',
      Values: explicitValue(requirement, 'values', []) ?? null,
    })),
  };
}

/** Compares the scopes as sets: order and repetition do not matter. */
export function validateQuotaScopesUnchanged(next: ResourceQuotaSpec, oldSpec: ResourceQuotaSpec): FieldError[] {
  const before = new Set(oldSpec.scopes);
  const after = new Set(next.scopes);
  if (before.size === after.size && [...after].every((scope) => before.has(scope))) return [];
  return [invalidValue('spec.scopes', explicitValue(next, 'scopes', []), immutableDetail)];
}
