import { duplicateValue, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { validateLabelSelector } from '../../validation/label-selectors.ts';
import { validateMatchLabelKeys } from './affinity-validation.ts';
import type { Errors } from './field-checks.ts';
import type { TopologySpreadConstraint } from './pod-shapes.ts';

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const policies = ['Honor', 'Ignore'];

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  field: string,
  errors: Errors,
): void {
  const lastAlike = new Map(constraints.map((constraint, index) => [identityOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    const path = `${field}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '' } = constraint;
    if (maxSkew <= 0) errors.push(invalidValue(`${path}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(requiredValue(`${path}.topologyKey`, 'can not be empty'));
    if (!actions.includes(whenUnsatisfiable)) {
      errors.push(notSupportedValue(`${path}.whenUnsatisfiable`, whenUnsatisfiable, actions));
    }
    // Of equal constraints, kube-apiserver reports all but the last.
    if (lastAlike.get(identityOf(constraint)) !== index) {
      const shown = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicateValue(`${path}.{topologyKey, whenUnsatisfiable}`, shown));
    }
    validateMinDomains(constraint, `${path}.minDomains`, errors);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[name];
      if (policy !== undefined && !policies.includes(policy)) {
        errors.push(notSupportedValue(`${path}.${name}`, policy, policies));
      }
    }
    const { labelSelector, matchLabelKeys = [] } = constraint;
    validateMatchLabelKeys(matchLabelKeys, `${path}.matchLabelKeys`, { labelSelector, errors });
    validateDistinctKeys(constraint, `${path}.matchLabelKeys`, errors);
    errors.push(...validateLabelSelector(labelSelector, `${path}.labelSelector`));
  }
}

function identityOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return JSON.stringify([topologyKey, whenUnsatisfiable]);
}

function validateMinDomains(constraint: TopologySpreadConstraint, field: string, errors: Errors): void {
  const { minDomains, whenUnsatisfiable = '' } = constraint;
  if (minDomains === undefined) return;
  if (minDomains <= 0) errors.push(invalidValue(field, minDomains, 'must be greater than zero'));
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    errors.push(invalidValue(field, minDomains, detail));
  }
}

/**
 * `preparePod` adds one expression with one value for each key. Any other expression for the same key comes from the
 * client and is an error.
 */
function validateDistinctKeys(constraint: TopologySpreadConstraint, field: string, errors: Errors): void {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  if (labelSelector === undefined) return;
  const expressions = labelSelector.matchExpressions ?? [];
  for (const [index, key] of matchLabelKeys.entries()) {
    const own = expressions.filter((expression) => expression.key === key);
    const isMade = own.length === 1 && own[0]!.operator === 'In' && own[0]!.values?.length === 1;
    const isWritten = own.length > 0 && !isMade;
    if (!isWritten && !Object.hasOwn(labelSelector.matchLabels ?? {}, key)) continue;
    errors.push(invalidValue(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
  }
}
