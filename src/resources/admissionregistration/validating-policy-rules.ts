import {
  annotationResult,
  booleanResult,
  type Composition,
  compileAdmissionExpression,
  stringResult,
} from '../../admission/expressions/index.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { JsonPath } from '../../meta/json-path/index.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { ResourceRules, ValidatedWrite } from '../../registry/resource-definition.ts';
import { keepStoredMetadata } from '../storage/keep-stored-metadata.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { expressionError } from './expression-error.ts';
import { setMatchResourcesDefaults } from './match-defaults.ts';
import { type PolicySpec, validatePolicyExpressions, validatePolicyTarget } from './policy-validation.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
  Validation,
} from './validating-policy-types.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const maxAnnotations = 20;
const maxAnnotationExpression = 5 * 1024;
const lineBreak = /[\n\r]/;

export const validatingPolicyRules: Partial<ResourceRules> = {
  finalizers: 'any',
  updateChecks: ['metadata', 'change'],
  statusChecks: ['change'],
  setDefaults: setPolicyDefaults,
  validateSteps: validatePolicy,
  prepareStatusUpdate: keepStoredMetadata,
};

export function setPolicyDefaults(object: ResourceObject): void {
  const spec = object.spec as PolicySpec | undefined;
  if (spec === undefined) return;
  spec.failurePolicy ??= 'Fail';
  if (spec.matchConstraints !== undefined) setMatchResourcesDefaults(spec.matchConstraints);
}

function* validatePolicy({ spec: sent, status, metadata }: ResourceObject, write: ValidatedWrite): Steps<FieldError[]> {
  if (write.endpoint === 'status') return statusErrors((status ?? {}) as ValidatingAdmissionPolicyStatus);
  const spec = (sent ?? {}) as ValidatingAdmissionPolicySpec;
  const errors: FieldError[] = [];
  validatePolicyTarget(spec, 'spec', errors);
  const composition = yield* validatePolicyExpressions(spec, 'spec', errors);
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(requiredValue('spec.validations', detail), requiredValue('spec.auditAnnotations', detail));
    return errors;
  }
  for (let index = 0; index < validations.length; index++) {
    if (isTurnOver()) yield;
    validateValidation(validations[index]!, { path: `spec.validations[${index}]`, composition }, errors);
  }
  const policy = { name: metadata.name ?? '', composition };
  yield* validateAuditAnnotations(auditAnnotations, policy, errors);
  return errors;
}

interface ExpressionPlace {
  readonly path: string;
  readonly composition: Composition;
}

function validateValidation(
  validation: Validation,
  { path, composition }: ExpressionPlace,
  errors: FieldError[],
): void {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  if (expression.trim() === '') errors.push(requiredValue(`${path}.expression`, 'expression is not specified'));
  else {
    const environment = composition.environment({ hasAuthorizer: true });
    const compiled = compileAdmissionExpression(expression, { environment, resultTypes: booleanResult });
    errors.push(...expressionError(compiled, `${path}.expression`));
  }
  if (messageExpression !== '') {
    const at = `${path}.messageExpression`;
    if (messageExpression.trim() === '') {
      errors.push(invalidValue(at, messageExpression, 'must be non-empty if specified'));
    } else {
      const environment = composition.environment({ hasAuthorizer: false });
      const compiled = compileAdmissionExpression(messageExpression, { environment, resultTypes: stringResult });
      errors.push(...expressionError(compiled, at));
    }
  }
  const text = message.trim();
  if (message !== '' && text === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (lineBreak.test(text)) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupportedValue(`${path}.reason`, reason, reasons));
  }
}

function* validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  { name: policy, composition }: { readonly name: string; readonly composition: Composition },
  errors: FieldError[],
): Steps<void> {
  const path = 'spec.auditAnnotations';
  if (annotations.length > maxAnnotations) {
    // Kubernetes prints the items with the field names of its internal Go type.
    const shown = annotations.map(({ key = '', valueExpression = '' }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    errors.push(invalidValue(path, shown, `must not have more than ${maxAnnotations} auditAnnotations`));
  }
  const keys = new Set<string>();
  for (let index = 0; index < annotations.length; index++) {
    if (isTurnOver()) yield;
    const { key = '', valueExpression = '' } = annotations[index]!;
    const at = `${path}[${index}]`;
    if (policy === '') errors.push(invalidValue(`${at}.key`, key, 'requires metadata.name be non-empty'));
    else {
      const name = `${policy}/${key}`;
      for (const detail of labelKeyErrors(name)) errors.push(invalidValue(`${at}.key`, name, detail));
    }
    validateValueExpression(valueExpression, { path: `${at}.valueExpression`, composition }, errors);
    if (keys.has(key)) errors.push(duplicateValue(`${at}.key`, key));
    keys.add(key);
  }
}

function validateValueExpression(
  expression: string,
  { path, composition }: ExpressionPlace,
  errors: FieldError[],
): void {
  const trimmed = expression.trim();
  if (trimmed === '') errors.push(requiredValue(path, 'valueExpression is not specified'));
  else if (Buffer.byteLength(trimmed) > maxAnnotationExpression) {
    errors.push(requiredValue(path, `must not exceed ${maxAnnotationExpression} bytes in length`));
  } else {
    const environment = composition.environment({ hasAuthorizer: true });
    const compiled = compileAdmissionExpression(trimmed, { environment, resultTypes: annotationResult });
    errors.push(...expressionError(compiled, path, expression));
  }
}

function statusErrors({ typeChecking, conditions }: ValidatingAdmissionPolicyStatus): FieldError[] {
  const errors: FieldError[] = [];
  const warnings = typeChecking?.expressionWarnings ?? [];
  for (let index = 0; index < warnings.length; index++) {
    const { fieldRef = '', warning = '' } = warnings[index]!;
    const path = `status.typeChecking.expressionWarnings[${index}]`;
    if (warning === '') errors.push(requiredValue(`${path}.warning`));
    errors.push(...fieldPathErrors(fieldRef.trim(), `${path}.fieldRef`));
  }
  return [...errors, ...validateConditions(conditions, 'status.conditions')];
}

/** The type check of the server writes such paths. */
function fieldPathErrors(path: string, field: string): FieldError[] {
  if (path === '') return [requiredValue(field)];
  try {
    new JsonPath(path);
    return [];
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [invalidValue(field, path, `invalid JSONPath: ${error.message}`)];
  }
}
