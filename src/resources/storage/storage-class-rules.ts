import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { explicitValue } from '../../schema/explicit-empty.ts';
import { successorOf } from '../core/persistent-volume/deprecated-node-labels.ts';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../core/scheduling-types.ts';
import { isSameValue } from '../validation/immutable.ts';
import { validateParameters, validateProvisioner } from './class-parameters.ts';
import { StorageClass } from './storage-class-types.ts';

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = enumOf(StorageClass, 'volumeBindingMode');

function validate({ provisioner, parameters, reclaimPolicy, ...rest }: StorageClass): FieldError[] {
  const { volumeBindingMode, allowedTopologies } = rest;
  const errors = validateProvisioner(provisioner ?? '', 'provisioner');
  errors.push(...validateParameters(parameters, 'parameters'));
  if (reclaimPolicy && !reclaimPolicies.includes(reclaimPolicy)) {
    errors.push(notSupportedValue('reclaimPolicy', reclaimPolicy, reclaimPolicies));
  }
  if (volumeBindingMode === undefined) errors.push(requiredValue('volumeBindingMode'));
  else if (!bindingModes.includes(volumeBindingMode)) {
    errors.push(notSupportedValue('volumeBindingMode', volumeBindingMode, bindingModes));
  }
  errors.push(...validateTopologies(allowedTopologies ?? []));
  return errors;
}

function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  for (const [index, { matchLabelExpressions = [] }] of terms.entries()) {
    const field = `allowedTopologies[${index}].matchLabelExpressions`;
    const values = new Map<string, string[]>();
    for (const [expressionIndex, expression] of matchLabelExpressions.entries()) {
      const { key = '' } = expression;
      errors.push(...validateExpression(expression, `${field}[${expressionIndex}]`));
      if (values.has(key)) errors.push(duplicateValue(`${field}[${expressionIndex}].key`, key));
      values.set(key, [...new Set(expression.values ?? [])].sort());
    }
    const meaning = JSON.stringify([...values].sort(([left], [right]) => (left < right ? -1 : 1)));
    const before = seen.get(meaning) ?? 0;
    // kube-apiserver compares each term with the previous ones and with one empty term for every term.
    const equals = before + (values.size === 0 ? terms.length : 0);
    for (let count = 0; count < equals; count++) errors.push(duplicateValue(field, ''));
    seen.set(meaning, before + 1);
  }
  return errors;
}

function validateExpression({ key = '', values }: TopologySelectorLabelRequirement, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!values?.length) errors.push(requiredValue(`${field}.values`));
  const seen = new Set<string>();
  for (const [index, value] of (values ?? []).entries()) {
    if (seen.has(value)) errors.push(duplicateValue(`${field}.values[${index}]`, value));
    seen.add(value);
  }
  for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${field}.key`, key, detail));
  return errors;
}

const immutable = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;

function validateChange(next: StorageClass, oldObject: StorageClass): FieldError[] {
  return immutable
    .filter((field) => !isSameValue(next[field], oldObject[field]))
    .map((field) => invalidValue(field, explicitValue(next, field, {}), 'field is immutable'));
}

function warnings({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, index) =>
    matchLabelExpressions.flatMap(({ key = '' }, expressionIndex) => {
      const successor = successorOf(key);
      if (successor === undefined) return [];
      const field = `allowedTopologies[${index}].matchLabelExpressions[${expressionIndex}].key`;
      return [`${field}: deprecated since ${successor.since}; use "${successor.use}" instead`];
    }),
  );
}

export const storageClassRules: Partial<ResourceRules> = {
  setDefaults(object) {
    const storageClass = object as StorageClass;
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  validate,
  validateUpdate: validateChange,
  warnings,
};
