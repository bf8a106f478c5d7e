import { duplicateValue, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { validateLabelSelector } from '../../validation/label-selectors.ts';
import { TopologySpreadConstraint } from '../scheduling-types.ts';
import { validateMatchLabelKeys, validateSelectedOnce } from './affinity-validation.ts';
import type { Errors } from './field-checks.ts';

const actions = enumOf(TopologySpreadConstraint, 'whenUnsatisfiable');
const policies = enumOf(TopologySpreadConstraint, 'nodeAffinityPolicy');

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
    validateNewLabels(constraint, `${path}.matchLabelKeys`, errors);
    validateSelectedOnce(matchLabelKeys, path, { labelSelector, errors });
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

/** A label that the selector already names cannot be a key as well. */
function validateNewLabels(constraint: TopologySpreadConstraint, field: string, errors: Errors): void {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!Object.hasOwn(labelSelector?.matchLabels ?? {}, key)) continue;
    errors.push(invalidValue(`${field}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
  }
}
