import { Composition } from '../../admission/expressions/index.ts';
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, pathSegmentErrors } from '../../meta/names.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import { expressionError } from './expression-error.ts';
import { validateChoice, validateMatchConditions, validateMatchResources } from './match-validation.ts';
import type { MutatingAdmissionPolicySpec } from './mutating-policy-types.ts';
import type { ParamRef } from './policy-types.ts';
import type { ValidatingAdmissionPolicySpec } from './validating-policy-types.ts';
import { failurePolicies } from './webhook-configuration-rules.ts';

export type PolicySpec = MutatingAdmissionPolicySpec | ValidatingAdmissionPolicySpec;

const notFoundActions = ['Deny', 'Allow'];
const identifierSyntax = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reservedWords = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

export function validatePolicyTarget(spec: PolicySpec, path: string, errors: FieldError[]): void {
  validateChoice(spec.failurePolicy, { path: `${path}.failurePolicy`, supported: failurePolicies }, errors);
  if (spec.paramKind !== undefined) validateParamKind(spec.paramKind, `${path}.paramKind`, errors);
  if (spec.matchConstraints === undefined) {
    errors.push(requiredValue(`${path}.matchConstraints`));
  } else {
    validateMatchResources(spec.matchConstraints, `${path}.matchConstraints`, errors);
    if (!spec.matchConstraints.resourceRules?.length) {
      errors.push(requiredValue(`${path}.matchConstraints.resourceRules`));
    }
  }
}

/** Returns the variables that the other expressions of the policy may use. */
export function* validatePolicyExpressions(spec: PolicySpec, path: string, errors: FieldError[]): Steps<Composition> {
  const { variables = [], paramKind, matchConditions } = spec;
  const hasParams = paramKind !== undefined;
  validateMatchConditions(matchConditions, { path: `${path}.matchConditions`, hasParams }, errors);
  const composition = new Composition({ hasParams });
  for (let index = 0; index < variables.length; index++) {
    if (isTurnOver()) yield;
    const { name = '', expression = '' } = variables[index]!;
    const at = `${path}.variables[${index}]`;
    if (name.trim() === '') errors.push(requiredValue(`${at}.name`, 'name is not specified'));
    else if (!identifierSyntax.test(name) || reservedWords.has(name)) {
      errors.push(invalidValue(`${at}.name`, name, 'must be a valid CEL identifier'));
    }
    if (expression.trim() === '') errors.push(requiredValue(`${at}.expression`, 'expression is not specified'));
    else errors.push(...expressionError(composition.declare(name, expression), `${at}.expression`));
  }
  return composition;
}

function validateParamKind(
  { apiVersion = '', kind = '' }: NonNullable<PolicySpec['paramKind']>,
  path: string,
  errors: FieldError[],
) {
  const at = `${path}.apiVersion`;
  if (apiVersion === '') errors.push(requiredValue(at));
  else validateApiVersion(apiVersion, at, errors);
  if (kind === '') {
    errors.push(requiredValue(`${path}.kind`));
    return;
  }
  const details = dns1035LabelErrors(kind.toLowerCase());
  if (details.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${details.join(',')}`;
  errors.push(invalidValue(`${path}.kind`, kind, detail));
}

function validateApiVersion(apiVersion: string, path: string, errors: FieldError[]): void {
  const segments = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (segments.length > 2) {
    errors.push(invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
    return;
  }
  const [version = '', group = ''] = segments.toReversed();
  const groupDetails = group === '' ? [] : dnsSubdomainErrors(group);
  if (groupDetails.length > 0) errors.push(invalidValue(path, group, groupDetails.join(',')));
  if (version === '') {
    errors.push(invalidValue(path, apiVersion, 'version must be specified'));
    return;
  }
  const versionDetails = dns1035LabelErrors(version);
  if (versionDetails.length > 0) errors.push(invalidValue(path, version, versionDetails.join(',')));
}

export function validatePolicyName(name: string | undefined, path: string, errors: FieldError[]): void {
  if (!name) errors.push(requiredValue(path));
  else for (const detail of dnsSubdomainErrors(name)) errors.push(invalidValue(path, name, detail));
}

export function validateParamRef(param: ParamRef | undefined, path: string, errors: FieldError[]): void {
  if (param === undefined) return;
  const { name = '', selector, parameterNotFoundAction: action = '' } = param;
  const both = 'name and selector are mutually exclusive';
  if (name !== '') {
    for (const detail of pathSegmentErrors(name)) errors.push(invalidValue(`${path}.name`, name, detail));
    if (selector !== undefined) errors.push(forbiddenValue(`${path}.name`, both));
  }
  errors.push(...validateLabelSelector(selector, `${path}.selector`));
  if (selector !== undefined && name !== '') errors.push(forbiddenValue(`${path}.selector`, both));
  if (name === '' && selector === undefined) {
    errors.push(requiredValue(path, 'one of name or selector must be specified'));
  }
  if (action === '') errors.push(requiredValue(`${path}.parameterNotFoundAction`));
  else if (!notFoundActions.includes(action)) {
    errors.push(notSupportedValue(`${path}.parameterNotFoundAction`, action, notFoundActions));
  }
}
