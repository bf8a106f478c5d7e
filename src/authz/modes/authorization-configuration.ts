/** Which authorizers decide, in order. */
export interface AuthorizationConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[];
}

export interface AuthorizerConfiguration {
  /** `RBAC`, `Webhook`, ... */
  readonly type: string;
  readonly name: string;
  /** For the type `Webhook` alone. */
  readonly webhook?: WebhookConfiguration;
}

export interface WebhookConfiguration {
  /** A kubeconfig that leads to the webhook. */
  readonly kubeConfigFile: string;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMs: number;
  /** 0 for answers that are not kept. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly matchConditions: readonly string[];
}

/** The types that there may be. Only webhooks may be there several times. */
export const authorizerTypes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;
