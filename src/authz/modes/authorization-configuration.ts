/** The configured authorizers, in order. */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  /** `RBAC`, `Webhook`, ... */
  readonly type: string;
  readonly name: string;
  /** Only for the type `Webhook`. */
  readonly webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  /** Kubeconfig of the webhook. */
  readonly kubeConfigFile: string;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  /** How long decisions are cached. 0 disables the cache. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly matchConditions: readonly string[];
}

/** The valid types. Only `Webhook` may occur more than once. */
export const authorizerTypes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;
