import type { CelProgram } from '../../cel/index.ts';

/** The authentication configuration, validated and with compiled expressions. */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtConfiguration[];
  /** Absent: the server's flags apply. */
  readonly anonymous?: AnonymousConfiguration;
}

export interface AnonymousConfiguration {
  readonly enabled: boolean;
  /** The only paths on which requests without credentials are accepted. Absent: all paths. */
  readonly conditions?: readonly { readonly path: string }[];
}

/** One issuer of JSON Web Tokens, and how its claims map to users. */
export interface JwtConfiguration {
  readonly issuer: IssuerConfiguration;
  readonly signingAlgorithms: readonly string[];
  readonly requiredClaims: readonly { readonly claim: string; readonly value: string }[];
  readonly claimRules: readonly RuleConfiguration[];
  readonly username: MappingConfiguration;
  readonly groups?: MappingConfiguration;
  readonly uid?: MappingConfiguration;
  readonly extra: readonly { readonly key: string; readonly program: CelProgram }[];
  readonly userRules: readonly RuleConfiguration[];
}

export interface IssuerConfiguration {
  /** The required value of `iss`. */
  readonly url: string;
  /** URL of the discovery document, when it is not below the issuer's URL. */
  readonly discoveryUrl?: string;
  /** PEM. Absent: the CAs that Node.js trusts. */
  readonly certificateAuthority?: string;
  /** A token must be issued for at least one of these. */
  readonly audiences: readonly string[];
}

/** A token is refused unless the program evaluates to true. */
export interface RuleConfiguration {
  readonly program: CelProgram;
  readonly message: string;
}

/** Maps either the value of a claim, with a prefix, or the result of an expression. */
export type MappingConfiguration =
  | { readonly claim: string; readonly prefix: string }
  | { readonly program: CelProgram };

/** Asymmetric algorithms only. With a shared secret this server could forge the issuer's tokens. */
export const signingAlgorithms: readonly string[] = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];
