/** Options for authentication. Files have the formats of the same flags in kube-apiserver, PEM by default. */
export interface AuthenticationOptions {
  /**
   * A further CA for client certificates. The server's own CA stays trusted, because the admin kubeconfig must work.
   */
  readonly clientCaFile?: string;
  /**
   * Whether requests without credentials are accepted as the anonymous user. Off by default; health checks on loopback
   * need no credentials.
   */
  readonly anonymousAuth?: boolean;
  /** Static tokens, CSV: `token,user,uid,"group1,group2"`. */
  readonly tokenAuthFile?: string;
  readonly enableBootstrapTokenAuth?: boolean;
  /** The first issuer signs new service account tokens. Tokens of all issuers are accepted. */
  readonly serviceAccountIssuer?: readonly string[];
  /** Keys that verify service account tokens. Default: the signing key. */
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountMaxTokenExpirationMs?: number;
  /**
   * Whether pod tokens stay valid beyond their requested lifetime, so that clients that never reload them keep working.
   */
  readonly serviceAccountExtendTokenExpiration?: boolean;
  /** The URL of the verification keys, if it is not below the issuer. */
  readonly serviceAccountJwksUri?: string;
  /** The audiences of tokens that name none. Default: the issuers. */
  readonly apiAudiences?: readonly string[];
  /** A file with an AuthenticationConfiguration: JWT issuers and the mapping of their claims. */
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
  /** The kubeconfig of the webhook that reviews tokens of unknown kinds. */
  readonly authenticationTokenWebhookConfigFile?: string;
  readonly authenticationTokenWebhookCacheTtlMs?: number;
  readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1';
  /** The CA of proxies that authenticate users. Without it their headers are ignored. */
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames?: readonly string[];
  readonly requestheaderUsernameHeaders?: readonly string[];
  readonly requestheaderGroupHeaders?: readonly string[];
  readonly requestheaderUidHeaders?: readonly string[];
  readonly requestheaderExtraHeadersPrefix?: readonly string[];
  /** PEM files with the client certificate for requests to extension servers, and its key. Created by default. */
  readonly proxyClientCertFile?: string;
  readonly proxyClientKeyFile?: string;
}

/** Options for authorization. */
export interface AuthorizationOptions {
  /** RBAC, Node, Webhook, AlwaysAllow, AlwaysDeny; evaluated in the given order. RBAC by default. */
  readonly authorizationMode?: readonly string[];
  /** A file with an AuthorizationConfiguration, instead of the modes. */
  readonly authorizationConfig?: string;
  readonly authorizationWebhookConfigFile?: string;
  readonly authorizationWebhookCacheAuthorizedTtlMs?: number;
  readonly authorizationWebhookCacheUnauthorizedTtlMs?: number;
  readonly authorizationWebhookVersion?: 'v1' | 'v1beta1';
  /** Logs denials, and adds a header with the closest rule to responses for users who may review access. */
  readonly explainDenials?: boolean;
}

/** Options for signing certificate requests. */
export interface SigningOptions {
  /** Default: the server's own CA. */
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
  /** The maximum lifetime of issued certificates. */
  readonly clusterSigningDurationMs?: number;
}

/** The default issuer, and default audience, of service account tokens. */
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

/** Options that need an issuer. */
const oidcDetails = [
  'oidcUsernameClaim',
  'oidcUsernamePrefix',
  'oidcGroupsClaim',
  'oidcGroupsPrefix',
  'oidcRequiredClaim',
  'oidcSigningAlgs',
  'oidcCaFile',
] as const;

export type IdentityOptions = AuthenticationOptions & AuthorizationOptions & SigningOptions;

/** Throws a RangeError for options that contradict each other. */
export function checkIdentityOptions(options: IdentityOptions): void {
  const has = (key: keyof IdentityOptions): boolean => options[key] !== undefined;
  if (has('clusterSigningCertFile') !== has('clusterSigningKeyFile')) {
    throw new RangeError('the certificate that signs requests and its private key must be given together');
  }
  if (has('proxyClientCertFile') !== has('proxyClientKeyFile')) {
    throw new RangeError('proxy-client-cert-file and proxy-client-key-file must be specified together');
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
  if (options.serviceAccountIssuer?.length === 0) throw new RangeError('service-account-issuer must not be empty');
}

/**
 * Whether anonymous access, if it is enabled, must be disabled as in kube-apiserver: the mode AlwaysAllow would let
 * everybody do everything.
 */
export function forbidsAnonymous({ authorizationMode = identityDefaults.authorizationMode }: IdentityOptions): boolean {
  return authorizationMode.includes('AlwaysAllow');
}
