/** By what means clients may say who they are. Files are PEM, or what their flags in kube-apiserver take. */
export interface AuthenticationOptions {
  /** Another CA whose client certificates are trusted. The server's own stays trusted: its kubeconfig must work. */
  readonly clientCaFile?: string;
  /** Whether who shows no credentials is the anonymous user. Off by default; health on loopback needs nobody. */
  readonly anonymousAuth?: boolean;
  /** Static tokens, CSV: `token,user,uid,"group1,group2"`. */
  readonly tokenAuthFile?: string;
  readonly enableBootstrapTokenAuth?: boolean;
  /** The first one issues the tokens of service accounts; those of the others are accepted. */
  readonly serviceAccountIssuer?: readonly string[];
  /** Keys by which such tokens are verified; the server's own, or the one that signs, by default. */
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountMaxTokenExpirationMs?: number;
  /** Tokens of pods live longer than they say, so that old programs have time to learn to read them again. */
  readonly serviceAccountExtendTokenExpiration?: boolean;
  /** Where others find the keys, when that is not below the issuer. */
  readonly serviceAccountJwksUri?: string;
  /** For whom tokens are when they do not say it. The issuers by default. */
  readonly apiAudiences?: readonly string[];
  /** An AuthenticationConfiguration: whose tokens are accepted, and how their claims become a user. */
  readonly authenticationConfig?: string;
  readonly oidcIssuerUrl?: string;
  readonly oidcClientId?: string;
  readonly oidcUsernameClaim?: string;
  readonly oidcUsernamePrefix?: string;
  readonly oidcGroupsClaim?: string;
  readonly oidcGroupsPrefix?: string;
  /** `claim=value`. */
  readonly oidcRequiredClaim?: readonly string[];
  readonly oidcSigningAlgs?: readonly string[];
  readonly oidcCaFile?: string;
  /** A kubeconfig: who reviews the tokens that nobody here knows. */
  readonly authenticationTokenWebhookConfigFile?: string;
  readonly authenticationTokenWebhookCacheTtlMs?: number;
  readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1';
  /** The CA of proxies that authenticate users themselves. Without it their headers say nothing. */
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames?: readonly string[];
  readonly requestheaderUsernameHeaders?: readonly string[];
  readonly requestheaderGroupHeaders?: readonly string[];
  readonly requestheaderUidHeaders?: readonly string[];
  readonly requestheaderExtraHeadersPrefix?: readonly string[];
}

/** Who may do what. */
export interface AuthorizationOptions {
  /** RBAC, AlwaysAllow, AlwaysDeny, Webhook; asked in this order. RBAC alone by default. */
  readonly authorizationMode?: readonly string[];
  /** An AuthorizationConfiguration instead of the modes. */
  readonly authorizationConfig?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtlMs?: number;
  readonly authorizationWebhookCacheUnauthorizedTtlMs?: number;
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1';
  /** Denials are logged, and who may review access is told in a header which rule came closest. */
  readonly explainDenials?: boolean;
}

/** The certificates that the server issues on request. */
export interface SigningOptions {
  /** The server's own CA by default. */
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  /** For how long certificates are issued at most. */
  readonly clusterSigningDurationMs?: number;
}

/** Who has signed a service account's token, and for whom it is unless it says otherwise. */
const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local';

export const identityDefaults = {
  enableBootstrapTokenAuth: false,
  serviceAccountIssuer: [serviceAccountIssuer],
  serviceAccountKeyFile: [],
  serviceAccountMaxTokenExpirationMs: 0,
  serviceAccountExtendTokenExpiration: true,
  apiAudiences: [],
  oidcUsernameClaim: 'sub',
  oidcRequiredClaim: [],
  oidcSigningAlgs: ['RS256'],
  authenticationTokenWebhookCacheTtlMs: 2 * 60_000,
  authenticationTokenWebhookVersion: 'v1beta1',
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: ['X-Remote-User'],
  requestheaderGroupHeaders: ['X-Remote-Group'],
  requestheaderUidHeaders: ['X-Remote-Uid'],
  requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  authorizationMode: ['RBAC'],
  authorizationWebhookCacheAuthorizedTtlMs: 5 * 60_000,
  authorizationWebhookCacheUnauthorizedTtlMs: 30_000,
  authorizationWebhookVersion: 'v1beta1',
  explainDenials: false,
  clusterSigningDurationMs: 365 * 24 * 60 * 60_000,
} as const satisfies AuthenticationOptions & AuthorizationOptions & SigningOptions;

/** What says something about an issuer only. */
const oidcDetails = [
  'oidcUsernameClaim',
  'oidcUsernamePrefix',
  'oidcGroupsClaim',
  'oidcGroupsPrefix',
  'oidcRequiredClaim',
  'oidcSigningAlgs',
  'oidcCaFile',
] as const;

type IdentityOptions = AuthenticationOptions & AuthorizationOptions & SigningOptions;

/** Throws a RangeError for options that contradict each other. */
export function checkIdentityOptions(options: IdentityOptions): void {
  const has = (key: keyof IdentityOptions): boolean => options[key] !== undefined;
  if (has('clusterSigningCertFile') !== has('clusterSigningKeyFile')) {
    throw new RangeError('the certificate that signs requests and its private key must be given together');
  }
  if (has('oidcIssuerUrl') !== has('oidcClientId')) {
    throw new RangeError('oidc-issuer-url and oidc-client-id must be specified together');
  }
  const lone = oidcDetails.find(has);
  if (lone !== undefined && !has('oidcIssuerUrl')) {
    throw new RangeError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  }
  if (has('authorizationConfig') && (has('authorizationMode') || has('authorizationWebhookConfigFile'))) {
    throw new RangeError(
      'authorization-config cannot be given together with --authorization-mode/--authorization-webhook-*',
    );
  }
  if (has('authenticationConfig') && has('oidcIssuerUrl')) {
    throw new RangeError('authentication-config file and oidc-* flags are mutually exclusive');
  }
  if (options.serviceAccountIssuer?.length === 0) throw new RangeError('there must be a service-account-issuer');
}
