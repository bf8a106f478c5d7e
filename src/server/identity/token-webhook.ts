import type { TokenAuthenticator } from '../../authn/index.ts';
import { WebhookTokenAuthenticator } from '../../authn/webhook/index.ts';
import { JsonEndpoint, readKubeconfig } from '../../client/index.ts';
import type { ResolvedOptions } from '../options.ts';

interface TokenWebhookDependencies {
  readonly options: ResolvedOptions;
  readonly audiences: readonly string[];
  readonly signal: AbortSignal;
}

/** Throws a RangeError for an invalid kubeconfig. The connections end with the signal. */
export function tokenWebhook(
  kubeconfig: string,
  { options, audiences, signal }: TokenWebhookDependencies,
): TokenAuthenticator {
  const endpoint = new JsonEndpoint(readKubeconfig(kubeconfig));
  signal.addEventListener('abort', () => endpoint.close(), { once: true });
  return new WebhookTokenAuthenticator({
    endpoint,
    version: options.authenticationTokenWebhookVersion,
    cacheMs: options.authenticationTokenWebhookCacheTtlMs,
    audiences,
  });
}
