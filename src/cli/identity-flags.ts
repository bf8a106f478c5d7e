import { anyText, bool, duration, list, oneOf, text } from './flags.ts';

const file = (name: string, help: string) => ({ name, placeholder: 'FILE', help, parse: text });
const names = (name: string, fallback: string, help: string) =>
  ({ name, placeholder: 'NAME,..', fallback, help, kind: 'list', parse: list }) as const;
/** List flags without `fallback`, because the server distinguishes a missing flag from its default. */
const chosen = (name: string, effectiveDefault: string, help: string) =>
  ({ name, placeholder: 'NAME,..', effectiveDefault, help, kind: 'list', parse: list }) as const;
const reviewVersion = (name: string) => ({
  name,
  placeholder: 'v1|v1beta1',
  fallback: 'v1beta1',
  help: 'Version of the reviews that the webhook receives: v1 or v1beta1.',
  parse: oneOf('v1', 'v1beta1'),
});
const lifetime = (name: string, fallback: string, help: string) => ({
  name,
  placeholder: 'DURATION',
  fallback,
  help,
  parse: duration,
});

/** Flags for authentication. */
export const authenticationFlags = {
  clientCaFile: file(
    'client-ca-file',
    "File with more CAs (PEM) for client certificates, in addition to the server's own CA. Reloaded when it changes.",
  ),
  anonymousAuth: {
    name: 'anonymous-auth',
    placeholder: 'true|false',
    effectiveDefault: 'false, with --compatibility=kubernetes true',
    help: 'Whether requests without credentials are accepted as the user system:anonymous. Otherwise they get 401.',
    kind: 'switch',
    parse: bool,
  },
  tokenAuthFile: file('token-auth-file', 'CSV file with static tokens: token,user,uid,"group1,group2".'),
  enableBootstrapTokenAuth: {
    name: 'enable-bootstrap-token-auth',
    placeholder: 'true|false',
    fallback: 'false',
    help: 'Whether tokens in secrets of type bootstrap.kubernetes.io/token in kube-system are accepted.',
    kind: 'switch',
    parse: bool,
  },
  serviceAccountIssuer: {
    name: 'service-account-issuer',
    placeholder: 'URL',
    fallback: 'https://kubernetes.default.svc.cluster.local',
    help: 'Issuer of service account tokens. Further issuers are accepted but not used for new tokens.',
    kind: 'list',
    parse: list,
  },
  serviceAccountKeyFile: {
    ...file(
      'service-account-key-file',
      'Files with additional keys (PEM) that verify service account tokens. Reloaded when they change.',
    ),
    kind: 'list',
    parse: list,
  },
  serviceAccountSigningKeyFile: file(
    'service-account-signing-key-file',
    "File with the private key (PEM) that signs service account tokens, instead of the server's own. Reloaded when it changes.",
  ),
  serviceAccountMaxTokenExpirationMs: lifetime(
    'service-account-max-token-expiration',
    '0s',
    'Maximum lifetime of a service account token. 0s sets no limit.',
  ),
  serviceAccountExtendTokenExpiration: {
    name: 'service-account-extend-token-expiration',
    placeholder: 'true|false',
    fallback: 'true',
    help: 'Whether tokens of pods are valid for a year, so that clients that never reload them keep working.',
    kind: 'switch',
    parse: bool,
  },
  serviceAccountJwksUri: {
    name: 'service-account-jwks-uri',
    placeholder: 'URL',
    help: 'URL of the verification keys in the OpenID discovery document.',
    parse: text,
  },
  apiAudiences: names(
    'api-audiences',
    '',
    'Audiences of tokens that name none. By default the service account issuers.',
  ),
  authenticationConfig: file(
    'authentication-config',
    'File with an AuthenticationConfiguration (YAML): JWT issuers and anonymous access. Reloaded when it changes.',
  ),
  oidcIssuerUrl: {
    name: 'oidc-issuer-url',
    placeholder: 'URL',
    help: 'URL of the OpenID Connect issuer whose ID tokens are accepted.',
    parse: text,
  },
  oidcClientId: {
    name: 'oidc-client-id',
    placeholder: 'ID',
    help: 'Client ID that ID tokens must have as their audience.',
    parse: text,
  },
  oidcUsernameClaim: {
    name: 'oidc-username-claim',
    placeholder: 'CLAIM',
    effectiveDefault: 'sub',
    help: 'Claim that holds the user name.',
    parse: text,
  },
  oidcUsernamePrefix: {
    name: 'oidc-username-prefix',
    placeholder: 'TEXT',
    help: 'Prefix of the user name. - means none. By default the issuer and #, but none for the claim email.',
    parse: anyText,
  },
  oidcGroupsClaim: {
    name: 'oidc-groups-claim',
    placeholder: 'CLAIM',
    help: 'Claim that holds the groups.',
    parse: text,
  },
  oidcGroupsPrefix: { name: 'oidc-groups-prefix', placeholder: 'TEXT', help: 'Prefix of each group.', parse: anyText },
  oidcRequiredClaim: {
    name: 'oidc-required-claim',
    placeholder: 'CLAIM=VALUE,..',
    help: 'Claims that ID tokens must have, with their values.',
    kind: 'list',
    parse: list,
  },
  oidcSigningAlgs: chosen('oidc-signing-algs', 'RS256', 'Signature algorithms that are accepted.'),
  oidcCaFile: file('oidc-ca-file', 'File with the CA (PEM) of the issuer, instead of the public CAs.'),
  authenticationTokenWebhookConfigFile: file(
    'authentication-token-webhook-config-file',
    'Kubeconfig of the webhook that reviews bearer tokens.',
  ),
  authenticationTokenWebhookCacheTtlMs: lifetime(
    'authentication-token-webhook-cache-ttl',
    '2m0s',
    'How long responses of the token webhook are cached.',
  ),
  authenticationTokenWebhookVersion: reviewVersion('authentication-token-webhook-version'),
  requestheaderClientCaFile: file(
    'requestheader-client-ca-file',
    'File with the CA (PEM) of proxies that authenticate users and send them in headers. Reloaded when it changes.',
  ),
  requestheaderAllowedNames: names(
    'requestheader-allowed-names',
    '',
    'Common names that the certificates of these proxies may have. By default any.',
  ),
  requestheaderUsernameHeaders: names(
    'requestheader-username-headers',
    'X-Remote-User',
    'Headers with the user name. The first one that is present is used.',
  ),
  requestheaderGroupHeaders: names('requestheader-group-headers', 'X-Remote-Group', 'Headers with the groups.'),
  requestheaderUidHeaders: names('requestheader-uid-headers', 'X-Remote-Uid', 'Headers with the uid.'),
  requestheaderExtraHeadersPrefix: names(
    'requestheader-extra-headers-prefix',
    'X-Remote-Extra-',
    'Prefixes of headers with extra values.',
  ),
  proxyClientCertFile: file(
    'proxy-client-cert-file',
    'File with the client certificate (PEM) for requests to extension API servers. By default the server creates one.',
  ),
  proxyClientKeyFile: file('proxy-client-key-file', 'File with the key (PEM) of that certificate.'),
} as const;

/** Flags for authorization and for signing certificate requests. */
export const authorizationFlags = {
  authorizationMode: chosen(
    'authorization-mode',
    'RBAC',
    'Authorization modes, in order of evaluation: RBAC, Node, Webhook, AlwaysAllow, AlwaysDeny.',
  ),
  authorizationConfig: file(
    'authorization-config',
    'File with an AuthorizationConfiguration (YAML), instead of the modes. Reloaded when it changes.',
  ),
  authorizationWebhookConfigFile: file(
    'authorization-webhook-config-file',
    'Kubeconfig of the webhook for the mode Webhook.',
  ),
  authorizationWebhookCacheAuthorizedTtlMs: lifetime(
    'authorization-webhook-cache-authorized-ttl',
    '5m0s',
    'How long the webhook\'s "allowed" responses are cached.',
  ),
  authorizationWebhookCacheUnauthorizedTtlMs: lifetime(
    'authorization-webhook-cache-unauthorized-ttl',
    '30s',
    "How long the webhook's other answers are cached.",
  ),
  authorizationWebhookVersion: reviewVersion('authorization-webhook-version'),
  explainDenials: {
    name: 'explain-denials',
    placeholder: 'true|false',
    fallback: 'false',
    help: 'Whether denials are logged, and explained in a response header to users who may create access reviews.',
    kind: 'switch',
    parse: bool,
  },
  clusterSigningCertFile: file(
    'cluster-signing-cert-file',
    "File with the CA certificate (PEM) that signs certificate requests, instead of the server's own. Reloaded when it changes.",
  ),
  clusterSigningKeyFile: file(
    'cluster-signing-key-file',
    'File with the private key (PEM) of --cluster-signing-cert-file. Reloaded when it changes.',
  ),
  clusterSigningDurationMs: lifetime(
    'cluster-signing-duration',
    '8760h0m0s',
    'Maximum lifetime of a signed certificate.',
  ),
} as const;
