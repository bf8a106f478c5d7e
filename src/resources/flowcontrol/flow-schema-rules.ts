import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../meta/names.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { internalValue } from '../validation/internal-value.ts';
import { keepMetadata, validateConditionTypes } from './condition-types-validation.ts';
import type { FlowSchema } from './flow-schema-types.ts';
import { FlowDistinguisherMethod, FlowSchemaSpec } from './flow-schema-types.ts';
import { mandatoryFlowSchema } from './mandatory-specs.ts';
import { validatePolicyRules } from './policy-rules-validation.ts';

const defaultPrecedence = 1000;
const maxPrecedence = 10000;
const distinguisherMethods = ['ByNamespace', 'ByUser'];

export const flowSchemaRules = {
  updateChecks: ['metadata', 'object'] as const,
  statusChecks: ['change'] as const,

  setDefaults(object: ResourceObject): void {
    const { spec } = object as FlowSchema;
    // Zero is not a valid precedence and means unset.
    if (spec !== undefined && !spec.matchingPrecedence) spec.matchingPrecedence = defaultPrecedence;
  },

  validate(object: ResourceObject): FieldError[] {
    const { metadata, spec = {} } = object as FlowSchema;
    const { name = '' } = metadata;
    const errors = [
      ...precedenceErrors(spec.matchingPrecedence ?? 0, name),
      ...distinguisherErrors(spec.distinguisherMethod),
      ...levelErrors(spec.priorityLevelConfiguration?.name ?? ''),
      ...(spec.rules ?? []).flatMap((rules, index) => validatePolicyRules(rules, `spec.rules[${index}]`)),
    ];
    const fixed = mandatoryFlowSchema(name);
    if (fixed !== undefined && fixed !== JSON.stringify(spec)) {
      const shown = internalValue(FlowSchemaSpec, spec);
      errors.push(invalidValue('spec', shown, `spec of '${name}' must equal the fixed value`));
    }
    return [...errors, ...validateConditionTypes(object)];
  },

  validateStatus: validateConditionTypes,
  prepareStatusUpdate: keepMetadata,
};

function precedenceErrors(precedence: number, name: string): FieldError[] {
  const error = (detail: string) => [invalidValue('spec.matchingPrecedence', precedence, detail)];
  if (precedence <= 0) return error('must be a positive value');
  if (precedence > maxPrecedence) return error(`must not be greater than ${maxPrecedence}`);
  if (precedence > 1 || name === 'exempt') return [];
  return error("only the schema named 'exempt' may have matchingPrecedence 1");
}

function distinguisherErrors(method: { type?: string } | undefined): FieldError[] {
  if (method === undefined || distinguisherMethods.includes(method.type ?? '')) return [];
  const shown = internalValue(FlowDistinguisherMethod, method);
  return [notSupportedValue('spec.distinguisherMethod.type', shown, distinguisherMethods)];
}

function levelErrors(name: string): FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [requiredValue(field, 'must reference a priority level')];
  return dnsSubdomainErrors(name).map((detail) => invalidValue(field, name, detail));
}
