import { inContext } from '../../codec/configuration/index.ts';
import { duplicateValue, type FieldError, fieldErrorText, invalidValue, tooMany } from '../../meta/field-error.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import {
  type AnonymousConfiguration,
  type AuthenticationConfiguration,
  type JwtConfiguration,
  signingAlgorithms,
} from './authentication-configuration.ts';
import type { AnonymousDocument, AuthenticationDocument, JwtDocument } from './authentication-document.ts';
import { readAuthenticationDocument } from './read-authentication-document.ts';
import { validateIssuer } from './validate-issuer.ts';
import { validateMappings } from './validate-mappings.ts';
import { validateClaimRules, validateUserRules } from './validate-rules.ts';

const maxIssuers = 64;

export interface ConfigurationContext {
  /** The issuers of this server's service account tokens. No external issuer may use their URLs. */
  readonly disallowedIssuers?: readonly string[];
}

/**
 * Parses a configuration file in YAML or JSON: decodes it strictly, validates it and compiles its expressions. Throws a
 * RangeError that lists all errors.
 */
export function parseAuthenticationConfiguration(
  content: string | Buffer,
  context: ConfigurationContext = {},
): AuthenticationConfiguration {
  return inContext('authentication configuration', () =>
    validateDocument(readAuthenticationDocument(content), context),
  );
}

function validateDocument(
  document: AuthenticationDocument,
  context: ConfigurationContext,
): AuthenticationConfiguration {
  const errors: FieldError[] = [];
  const documents = document.jwt ?? [];
  if (documents.length > maxIssuers) throwErrors([tooMany('jwt', documents.length, maxIssuers)]);
  const jwt = documents.map((one, index) => validateJwt(one, { ...context, field: `jwt[${index}]` }, errors));
  errors.push(...repeatedUrls(jwt));
  const anonymous = document.anonymous ? validateAnonymous(document.anonymous, errors) : undefined;
  throwErrors(errors);
  return { jwt, ...(anonymous !== undefined && { anonymous }) };
}

/** Validates one issuer and adds its errors to `errors`. */
export function validateJwt(
  document: JwtDocument,
  { field, disallowedIssuers = [] }: ConfigurationContext & { readonly field: string },
  errors: FieldError[],
): JwtConfiguration {
  const issuer = validateIssuer(document.issuer ?? {}, { field: `${field}.issuer`, disallowedIssuers }, errors);
  const claims = validateClaimRules(document.claimValidationRules ?? [], `${field}.claimValidationRules`, errors);
  const context = { field: `${field}.claimMappings`, claimRules: claims.claimRules };
  const mappings = validateMappings(document.claimMappings ?? {}, context, errors);
  const userRules = validateUserRules(document.userValidationRules ?? [], `${field}.userValidationRules`, errors);
  return { issuer, signingAlgorithms, ...claims, ...mappings, userRules };
}

function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw new RangeError(joinedErrors(errors.map(fieldErrorText)));
}

function repeatedUrls(jwt: readonly JwtConfiguration[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { issuer }] of jwt.entries()) {
    const before = jwt.slice(0, index);
    if (before.some((other) => other.issuer.url === issuer.url)) {
      errors.push(duplicateValue(`jwt[${index}].issuer.url`, issuer.url));
    }
    if (
      issuer.discoveryUrl !== undefined &&
      before.some((other) => other.issuer.discoveryUrl === issuer.discoveryUrl)
    ) {
      errors.push(duplicateValue(`jwt[${index}].issuer.discoveryURL`, issuer.discoveryUrl));
    }
  }
  return errors;
}

function validateAnonymous({ enabled, conditions }: AnonymousDocument, errors: FieldError[]): AnonymousConfiguration {
  if (!enabled && conditions.length > 0) {
    const printed = conditions.map(({ path }) => ({ Path: path }));
    const detail = 'enabled should be set to true when conditions are defined';
    errors.push(invalidValue('anonymous.conditions', printed, detail));
  }
  return { enabled, ...(conditions.length > 0 && { conditions }) };
}
