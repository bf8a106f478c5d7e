import { duplicateValue, type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import type { JwtConfiguration, RuleConfiguration } from './authentication-configuration.ts';
import type { ClaimRuleDocument, UserRuleDocument } from './authentication-document.ts';
import { compileField } from './compile-field.ts';

const resultTypes = ['bool'];

/** Validates the rules for claims and adds their errors to `errors`. */
export function validateClaimRules(
  rules: readonly ClaimRuleDocument[],
  field: string,
  errors: FieldError[],
): Pick<JwtConfiguration, 'requiredClaims' | 'claimRules'> {
  const requiredClaims: { claim: string; value: string }[] = [];
  const claimRules: RuleConfiguration[] = [];
  for (const [index, rule] of rules.entries()) {
    const at = `${field}[${index}]`;
    const [claim, expression] = [rule.claim ?? '', rule.expression ?? ''];
    const [value, message] = [rule.requiredValue ?? '', rule.message ?? ''];
    if (claim !== '' && expression !== '') {
      errors.push(invalidValue(at, claim, "claim and expression can't both be set"));
    } else if (claim !== '') {
      if (message !== '') errors.push(invalidValue(`${at}.message`, message, 'may not be specified when claim is set'));
      if (requiredClaims.some((other) => other.claim === claim)) errors.push(duplicateValue(`${at}.claim`, claim));
      requiredClaims.push({ claim, value });
    } else if (expression !== '') {
      if (value !== '') {
        errors.push(invalidValue(`${at}.requiredValue`, value, 'may not be specified when expression is set'));
      }
      if (rules.findIndex((other) => other.expression === expression) !== index) {
        errors.push(duplicateValue(`${at}.expression`, expression));
        continue;
      }
      const program = compileField({ expression, variable: 'claims', field: `${at}.expression`, resultTypes }, errors);
      if (program !== undefined) claimRules.push({ program, message });
    } else {
      errors.push(requiredValue(at, 'claim or expression is required'));
    }
  }
  return { requiredClaims, claimRules };
}

/** Validates the rules for the user that the claims map to. */
export function validateUserRules(
  rules: readonly UserRuleDocument[],
  field: string,
  errors: FieldError[],
): RuleConfiguration[] {
  const userRules: RuleConfiguration[] = [];
  for (const [index, rule] of rules.entries()) {
    const at = `${field}[${index}].expression`;
    const expression = rule.expression ?? '';
    if (expression === '') {
      errors.push(requiredValue(at));
    } else if (rules.findIndex((other) => other.expression === expression) !== index) {
      errors.push(duplicateValue(at, expression));
    } else {
      const program = compileField({ expression, variable: 'user', field: at, resultTypes }, errors);
      if (program !== undefined) userRules.push({ program, message: rule.message ?? '' });
    }
  }
  return userRules;
}
