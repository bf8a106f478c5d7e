import type { CelProgram } from '../../cel/index.ts';

/** How the users of the server are recognized, as an administrator has written it down. Validated and compiled. */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtConfiguration[];
  /** Absent: what the server's flags say. */
  readonly anonymous?: AnonymousConfiguration;
}

export interface AnonymousConfiguration {
  readonly enabled: boolean;
  /** Requests without credentials are let in on these paths only; absent: on all. */
  readonly conditions?: readonly { readonly path: string }[];
}

/** One issuer of JSON Web Tokens, and what its tokens mean here. */
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
  /** What `iss` of every token must be. */
  readonly url: string;
  /** Where the discovery document is, when not below the issuer's URL. */
  readonly discoveryUrl?: string;
  /** PEM; absent: the CAs that Node.js trusts. */
  readonly certificateAuthority?: string;
  /** A token must be for one of them. */
  readonly audiences: readonly string[];
}

/** Evaluates to true, or the token is refused. */
export interface RuleConfiguration {
  readonly program: CelProgram;
  readonly message: string;
}

/** The value of a claim behind a prefix, or of an expression. */
export type MappingConfiguration =
  | { readonly claim: string; readonly prefix: string }
  | { readonly program: CelProgram };

/** All that are asymmetric. By a shared secret nobody could tell the issuer from this server. */
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
