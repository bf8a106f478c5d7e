import { JsonEndpoint, readKubeconfig } from '../../client/index.ts';
import type { WebhookConfiguration } from '../modes/authorization-configuration.ts';
import type { OpenWebhook } from '../modes/index.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';

/** Throws RangeError when the kubeconfig cannot be used. */
export function openWebhook(configuration: WebhookConfiguration): OpenWebhook {
  const { kubeConfigFile, timeoutMs, ...rest } = configuration;
  const endpoint = new JsonEndpoint(readKubeconfig(kubeConfigFile), { timeoutMs });
  return { authorizer: new WebhookAuthorizer({ endpoint, ...rest }), close: () => endpoint.close() };
}
