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

const mostIssuers = 64;

export interface ConfigurationContext {
  /** The issuers of this server's own service account tokens, which nobody else may speak for. */
  readonly disallowedIssuers?: readonly string[];
}

/**
 * The configuration in a file: YAML or JSON, strictly read, wholly validated, expressions compiled. Throws a RangeError
 * that lists everything that is wrong.
 */
export function parseAuthenticationConfiguration(
  content: string | Buffer,
  context: ConfigurationContext = {},
): AuthenticationConfiguration {
  return inContext('authentication configuration', () => validated(readAuthenticationDocument(content), context));
}

function validated(document: AuthenticationDocument, context: ConfigurationContext): AuthenticationConfiguration {
  const errors: FieldError[] = [];
  const documents = document.jwt ?? [];
  if (documents.length > mostIssuers) throwAll([tooMany('jwt', documents.length, mostIssuers)]);
  const jwt = documents.map((one, index) => validateJwt(one, { ...context, field: `jwt[${index}]` }, errors));
  errors.push(...repeatedUrls(jwt));
  const anonymous = document.anonymous ? validateAnonymous(document.anonymous, errors) : undefined;
  throwAll(errors);
  return { jwt, ...(anonymous !== undefined && { anonymous }) };
}

/** One issuer of a document. All that is wrong is added to the findings. */
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

/** Throws all findings as one RangeError, when there are any. */
function throwAll(errors: readonly FieldError[]): void {
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
