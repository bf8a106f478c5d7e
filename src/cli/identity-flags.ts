import { anyText, duration, list, oneOf, text, truth } from './flags.ts';

const file = (name: string, help: string) => ({ name, placeholder: 'FILE', help, parse: text });
const names = (name: string, fallback: string, help: string) =>
  ({ name, placeholder: 'NAME,..', fallback, help, kind: 'list', parse: list }) as const;
/** Whether they were given makes a difference. */
const chosen = (name: string, usual: string, help: string) =>
  ({ name, placeholder: 'NAME,..', usual, help, kind: 'list', parse: list }) as const;
const reviewVersion = (name: string) => ({
  name,
  placeholder: 'v1|v1beta1',
  fallback: 'v1beta1',
  help: 'version of the reviews that the webhook gets',
  parse: oneOf('v1', 'v1beta1'),
});
const lifetime = (name: string, fallback: string, help: string) => ({
  name,
  placeholder: 'DURATION',
  fallback,
  help,
  parse: duration,
});

/** How clients say who they are. */
export const authenticationFlags = {
  clientCaFile: file(
    'client-ca-file',
    'another CA (PEM) whose client certificates are trusted; read again when it changes',
  ),
  anonymousAuth: {
    name: 'anonymous-auth',
    placeholder: 'true|false',
    usual: 'false',
    help: 'take who shows no credentials for system:anonymous',
    kind: 'switch',
    parse: truth,
  },
  tokenAuthFile: file('token-auth-file', 'static tokens, CSV: token,user,uid,"group1,group2"'),
  enableBootstrapTokenAuth: {
    name: 'enable-bootstrap-token-auth',
    placeholder: 'true|false',
    fallback: 'false',
    help: 'accept tokens of secrets of type bootstrap.kubernetes.io/token in kube-system',
    kind: 'switch',
    parse: truth,
  },
  serviceAccountIssuer: {
    name: 'service-account-issuer',
    placeholder: 'URL',
    fallback: 'https://kubernetes.default.svc.cluster.local',
    help: 'issuer of service account tokens; given again: others whose tokens are accepted',
    kind: 'list',
    parse: list,
  },
  serviceAccountKeyFile: {
    ...file('service-account-key-file', 'keys (PEM) to verify service account tokens with; may be given again'),
    kind: 'list',
    parse: list,
  },
  serviceAccountSigningKeyFile: file(
    'service-account-signing-key-file',
    'private key (PEM) that signs service account tokens',
  ),
  serviceAccountMaxTokenExpirationMs: lifetime(
    'service-account-max-token-expiration',
    '0s',
    'longest life of a service account token; 0s sets no limit',
  ),
  serviceAccountExtendTokenExpiration: {
    name: 'service-account-extend-token-expiration',
    placeholder: 'true|false',
    fallback: 'true',
    help: 'let tokens of pods live for a year, so that programs that never read them again go on',
    kind: 'switch',
    parse: truth,
  },
  serviceAccountJwksUri: {
    name: 'service-account-jwks-uri',
    placeholder: 'URL',
    help: 'where others find the keys',
    parse: text,
  },
  apiAudiences: names('api-audiences', '', 'whom tokens are for that do not say it; the issuers by default'),
  authenticationConfig: file(
    'authentication-config',
    'AuthenticationConfiguration (YAML): JWT issuers, anonymous access; read again when it changes',
  ),
  oidcIssuerUrl: { name: 'oidc-issuer-url', placeholder: 'URL', help: 'whose ID tokens are accepted', parse: text },
  oidcClientId: { name: 'oidc-client-id', placeholder: 'ID', help: 'audience that ID tokens must have', parse: text },
  oidcUsernameClaim: {
    name: 'oidc-username-claim',
    placeholder: 'CLAIM',
    usual: 'sub',
    help: 'claim with the user',
    parse: text,
  },
  oidcUsernamePrefix: {
    name: 'oidc-username-prefix',
    placeholder: 'TEXT',
    help: 'put before the user; - is nothing; the issuer and # by default, unless the claim is email',
    parse: anyText,
  },
  oidcGroupsClaim: { name: 'oidc-groups-claim', placeholder: 'CLAIM', help: 'claim with the groups', parse: text },
  oidcGroupsPrefix: { name: 'oidc-groups-prefix', placeholder: 'TEXT', help: 'put before each group', parse: anyText },
  oidcRequiredClaim: {
    name: 'oidc-required-claim',
    placeholder: 'CLAIM=VALUE,..',
    help: 'what ID tokens must say; may be given again',
    kind: 'list',
    parse: list,
  },
  oidcSigningAlgs: chosen('oidc-signing-algs', 'RS256', 'accepted algorithms'),
  oidcCaFile: file('oidc-ca-file', 'CA (PEM) of the issuer instead of the public ones'),
  authenticationTokenWebhookConfigFile: file(
    'authentication-token-webhook-config-file',
    'kubeconfig of a server that reviews tokens',
  ),
  authenticationTokenWebhookCacheTtlMs: lifetime(
    'authentication-token-webhook-cache-ttl',
    '2m0s',
    'how long its answers are kept',
  ),
  authenticationTokenWebhookVersion: reviewVersion('authentication-token-webhook-version'),
  requestheaderClientCaFile: file(
    'requestheader-client-ca-file',
    'CA (PEM) of proxies that authenticate users and name them in headers',
  ),
  requestheaderAllowedNames: names('requestheader-allowed-names', '', 'common names of those proxies; any by default'),
  requestheaderUsernameHeaders: names('requestheader-username-headers', 'X-Remote-User', 'headers with the user'),
  requestheaderGroupHeaders: names('requestheader-group-headers', 'X-Remote-Group', 'headers with groups'),
  requestheaderUidHeaders: names('requestheader-uid-headers', 'X-Remote-Uid', 'headers with the uid'),
  requestheaderExtraHeadersPrefix: names(
    'requestheader-extra-headers-prefix',
    'X-Remote-Extra-',
    'how headers with extra values begin',
  ),
} as const;

/** Who may do what, and whose certificate requests are signed. */
export const authorizationFlags = {
  authorizationMode: chosen(
    'authorization-mode',
    'RBAC',
    'RBAC, Node, AlwaysAllow, AlwaysDeny, Webhook: asked in this order',
  ),
  authorizationConfig: file(
    'authorization-config',
    'AuthorizationConfiguration (YAML) instead of the modes; read again when it changes',
  ),
  authorizationWebhookConfigFile: file(
    'authorization-webhook-config-file',
    'kubeconfig of the server that the mode Webhook asks',
  ),
  authorizationWebhookCacheAuthorizedTtlMs: lifetime(
    'authorization-webhook-cache-authorized-ttl',
    '5m0s',
    'how long its permissions are kept',
  ),
  authorizationWebhookCacheUnauthorizedTtlMs: lifetime(
    'authorization-webhook-cache-unauthorized-ttl',
    '30s',
    'how long its refusals are kept',
  ),
  authorizationWebhookVersion: reviewVersion('authorization-webhook-version'),
  explainDenials: {
    name: 'explain-denials',
    placeholder: 'true|false',
    fallback: 'false',
    help: 'log denials, and tell who may review access which rule came closest',
    kind: 'switch',
    parse: truth,
  },
  clusterSigningCertFile: file(
    'cluster-signing-cert-file',
    "CA (PEM) that signs certificate requests instead of the server's own",
  ),
  clusterSigningKeyFile: file('cluster-signing-key-file', 'private key of --cluster-signing-cert-file'),
  clusterSigningDurationMs: lifetime('cluster-signing-duration', '8760h0m0s', 'longest life of a signed certificate'),
} as const;
