import { type Composition, compileMutation, type MutationPatchType } from '../../admission/expressions/index.ts';
import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { expressionError } from './expression-error.ts';
import type { NamedRuleWithOperations } from './match-types.ts';
import { type MutatingAdmissionPolicySpec, Mutation } from './mutating-policy-types.ts';
import { validatePolicyExpressions, validatePolicyTarget } from './policy-validation.ts';
import { setPolicyDefaults } from './validating-policy-rules.ts';
import { reinvocationPolicies } from './webhook-configuration-rules.ts';

/** A mutating policy cannot match DELETE: there is no new object to change. */
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const patchTypes = enumOf(Mutation, 'patchType');

export const mutatingPolicyRules: Partial<ResourceRules> = {
  finalizers: 'any',
  updateChecks: ['metadata', 'change'],
  setDefaults: setPolicyDefaults,
  validateSteps: validatePolicy,
};

function* validatePolicy(object: ResourceObject): Steps<FieldError[]> {
  const spec = (object.spec ?? {}) as MutatingAdmissionPolicySpec;
  const errors: FieldError[] = [];
  validatePolicyTarget(spec, 'spec', errors);
  validateMutableOperations(spec.matchConstraints?.resourceRules, 'spec.matchConstraints.resourceRules', errors);
  const composition = yield* validatePolicyExpressions(spec, 'spec', errors);
  const { mutations = [], reinvocationPolicy = '' } = spec;
  if (mutations.length === 0) {
    errors.push(requiredValue('spec.mutations', 'mutations must contain at least one item'));
  }
  for (let index = 0; index < mutations.length; index++) {
    if (isTurnOver()) yield;
    errors.push(...mutationErrors(mutations[index]!, `spec.mutations[${index}]`, composition));
  }
  if (reinvocationPolicy === '') errors.push(requiredValue('spec.reinvocationPolicy'));
  else if (!reinvocationPolicies.includes(reinvocationPolicy)) {
    errors.push(notSupportedValue('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies));
  }
  return errors;
}

/** The field paths have no index, as in kube-apiserver. */
export function validateMutableOperations(
  rules: readonly NamedRuleWithOperations[] | undefined,
  path: string,
  errors: FieldError[],
): void {
  for (const { operations = [] } of rules ?? []) {
    for (const operation of operations) {
      if (mutableOperations.includes(operation)) continue;
      errors.push(notSupportedValue(`${path}.operations`, operation, mutableOperations));
    }
  }
}

function mutationErrors(mutation: Mutation, path: string, composition: Composition): FieldError[] {
  const { patchType = '', applyConfiguration, jsonPatch } = mutation;
  if (patchType === '') return [requiredValue(`${path}.patchType`)];
  if (!isPatchType(patchType)) return [notSupportedValue(`${path}.patchType`, patchType, patchTypes)];
  const bodies: [Body, Body] = [
    { name: 'applyConfiguration', value: applyConfiguration },
    { name: 'jsonPatch', value: jsonPatch },
  ];
  const [wanted, other] = patchType === 'JSONPatch' ? bodies.toReversed() : bodies;
  const errors = bodyErrors(wanted!, path, { patchType, composition });
  if (other!.value !== undefined) {
    const detail = `must not be specified when patchType is ${patchType}`;
    errors.push(invalidValue(`${path}.${other!.name}`, `{${other!.name}}`, detail));
  }
  return errors;
}

function isPatchType(patchType: string): patchType is MutationPatchType {
  return patchTypes.includes(patchType);
}

/** A field of a mutation. Its patch type decides which one it must have. */
interface Body {
  readonly name: string;
  readonly value: { readonly expression?: string } | undefined;
}

function bodyErrors(
  { name, value }: Body,
  path: string,
  { patchType, composition }: { readonly patchType: MutationPatchType; readonly composition: Composition },
): FieldError[] {
  if (value === undefined) {
    return [requiredValue(`${path}.${name}`, `must be specified when patchType is ${patchType}`)];
  }
  const expression = value.expression?.trim() ?? '';
  if (expression === '') return [requiredValue(`${path}.${name}.expression`)];
  return expressionError(compileMutation(expression, patchType, composition), `${path}.${name}.expression`);
}
