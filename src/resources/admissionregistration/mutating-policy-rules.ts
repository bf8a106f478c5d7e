import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { Steps } from '../../meta/turns.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { literalTypeError } from './cel-literal.ts';
import { type PolicySpec, validatePolicyExpressions, validatePolicyTarget } from './policy-validation.ts';
import type { NamedRuleWithOperations } from './rule-validation.ts';
import { setPolicyDefaults } from './validating-policy-rules.ts';
import { reinvocationPolicies } from './webhook-configuration-rules.ts';

interface MutatingPolicySpec extends PolicySpec {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: string;
}

interface Mutation {
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

/** A mutating policy cannot match DELETE: there is no new object to change. */
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const patchTypes = ['ApplyConfiguration', 'JSONPatch'];

export const mutatingPolicyRules: Partial<ResourceRules> = {
  finalizers: 'any',
  setDefaults: setPolicyDefaults,
  validateSteps: validatePolicy,
};

function* validatePolicy(object: ResourceObject): Steps<FieldError[]> {
  const spec = (object.spec ?? {}) as MutatingPolicySpec;
  const errors: FieldError[] = [];
  validatePolicyTarget(spec, 'spec', errors);
  validateMutableOperations(spec.matchConstraints?.resourceRules, 'spec.matchConstraints.resourceRules', errors);
  yield* validatePolicyExpressions(spec, 'spec', errors);
  const { mutations = [], reinvocationPolicy = '' } = spec;
  if (mutations.length === 0) {
    errors.push(requiredValue('spec.mutations', 'mutations must contain at least one item'));
  }
  for (let index = 0; index < mutations.length; index++) {
    validateMutation(mutations[index]!, `spec.mutations[${index}]`, errors);
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

function validateMutation(
  { patchType = '', applyConfiguration, jsonPatch }: Mutation,
  path: string,
  errors: FieldError[],
) {
  if (patchType === '') errors.push(requiredValue(`${path}.patchType`));
  else if (!patchTypes.includes(patchType)) {
    errors.push(notSupportedValue(`${path}.patchType`, patchType, patchTypes));
  } else if (patchType === 'JSONPatch') {
    validatePatch({ jsonPatch, applyConfiguration }, { path, type: 'list(JSONPatch)', patchType }, errors);
  } else {
    validatePatch({ applyConfiguration, jsonPatch }, { path, type: 'Object', patchType }, errors);
  }
}

/** The first of the two bodies is the one that the patch type requires. */
function validatePatch(
  bodies: Readonly<Record<string, { readonly expression?: string } | undefined>>,
  { path, type, patchType }: { readonly path: string; readonly type: string; readonly patchType: string },
  errors: FieldError[],
): void {
  const [[wanted, body], [other, otherBody]] = Object.entries(bodies) as [
    [string, Mutation['jsonPatch']],
    [string, unknown],
  ];
  const expression = body?.expression?.trim() ?? '';
  if (body === undefined) {
    errors.push(requiredValue(`${path}.${wanted}`, `must be specified when patchType is ${patchType}`));
  } else if (expression === '') errors.push(requiredValue(`${path}.${wanted}.expression`));
  else errors.push(...literalTypeError(expression, `${path}.${wanted}.expression`, [type]));
  if (otherBody === undefined) return;
  const detail = `must not be specified when patchType is ${patchType}`;
  errors.push(invalidValue(`${path}.${other}`, `{${other}}`, detail));
}
