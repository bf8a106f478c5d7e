import { onTestFinished } from 'vitest';
import type { TestApi } from './api.ts';

export type WebhookKind = 'mutating' | 'validating';

export interface TestWebhook {
  /** Default: `<index>.hook.example`. */
  readonly name?: string;
  readonly clientConfig: object;
  readonly [field: string]: unknown;
}

export const configurationsPath = (kind: WebhookKind): string =>
  `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;

/** Default: creates and updates of config maps. */
export const configMapRule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

let configurations = 0;

/** Creates a configuration that is deleted after the test. If `namespace` is given, it applies only there. */
export async function configureWebhooks(
  api: TestApi,
  kind: WebhookKind,
  { webhooks, namespace, name = `c${++configurations}` }: ConfiguredWebhooks,
): Promise<string> {
  const body = {
    metadata: { name },
    webhooks: webhooks.map((webhook, index) => ({
      name: `${index}.hook.example`,
      rules: [configMapRule],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...(namespace !== undefined && {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      }),
      ...webhook,
    })),
  };
  const path = configurationsPath(kind);
  const { status, text } = await api.post(path, body);
  if (status > 201) throw new Error(text);
  onTestFinished(async () => void (await api.delete(`${path}/${name}`)));
  return name;
}

interface ConfiguredWebhooks {
  readonly webhooks: readonly TestWebhook[];
  readonly namespace?: string;
  readonly name?: string;
}
