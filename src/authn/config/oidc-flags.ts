import { type FieldError, fieldErrorText } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { type JwtConfiguration, signingAlgorithms } from './authentication-configuration.ts';
import { type ConfigurationContext, validateJwt } from './parse-authentication-configuration.ts';

/** Values of the `--oidc-*` flags. */
export interface OidcFlags {
  readonly issuerUrl?: string;
  readonly clientId?: string;
  readonly usernameClaim?: string;
  readonly usernamePrefix?: string;
  readonly groupsClaim?: string;
  readonly groupsPrefix?: string;
  /** Entries have the form `claim=value`. */
  readonly requiredClaims?: readonly string[];
  readonly signingAlgs?: readonly string[];
  /** PEM: the content of the file. */
  readonly certificateAuthority?: string;
}

/**
 * Returns the issuer that the flags describe, or undefined when none is set. Throws a RangeError that names the invalid
 * flag.
 */
export function configurationOfOidcFlags(
  flags: OidcFlags,
  context: ConfigurationContext = {},
): JwtConfiguration | undefined {
  const { issuerUrl = '', clientId = '' } = flags;
  if (issuerUrl === '' || clientId === '') {
    if (Object.values(flags).every((value) => value === undefined || value.length === 0)) return undefined;
    throw new RangeError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  }
  const signingAlgs = flags.signingAlgs?.length ? flags.signingAlgs : ['RS256'];
  const unknown = signingAlgs.find((algorithm) => !signingAlgorithms.includes(algorithm));
  if (unknown !== undefined) throw new RangeError(`oidc: unsupported signing alg: ${goQuote(unknown)}`);
  const document = {
    issuer: { url: issuerUrl, audiences: [clientId], certificateAuthority: flags.certificateAuthority },
    claimValidationRules: requiredClaims(flags.requiredClaims ?? []),
    claimMappings: {
      username: usernameMapping(flags, issuerUrl),
      ...(flags.groupsClaim && { groups: { claim: flags.groupsClaim, prefix: flags.groupsPrefix ?? '' } }),
    },
  };
  const errors: FieldError[] = [];
  const configuration = validateJwt(document, { ...context, field: 'jwt[0]' }, errors);
  if (errors.length > 0) throw new RangeError(`oidc-* flags: ${errors.map(fieldErrorText).join(', ')}`);
  return { ...configuration, signingAlgorithms: signingAlgs };
}

/** The default prefix keeps the users of different issuers apart. Email addresses are unique without a prefix. */
function usernameMapping(
  { usernameClaim, usernamePrefix }: OidcFlags,
  issuerUrl: string,
): { claim: string; prefix: string } {
  const claim = usernameClaim || 'sub';
  if (usernamePrefix === '-') return { claim, prefix: '' };
  return { claim, prefix: usernamePrefix || (claim === 'email' ? '' : `${issuerUrl}#`) };
}

/** The last value wins when a claim is repeated. */
function requiredClaims(pairs: readonly string[]): { claim: string; requiredValue: string }[] {
  const claims = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals <= 0)
      throw new RangeError(`oidc-required-claim: malformed pair, expect string=string: ${goQuote(pair)}`);
    claims.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  return [...claims].map(([claim, requiredValue]) => ({ claim, requiredValue }));
}
