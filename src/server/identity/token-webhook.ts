import type { TokenAuthenticator } from '../../authn/index.ts';
import { WebhookTokenAuthenticator } from '../../authn/webhook/index.ts';
import { JsonEndpoint, readKubeconfig } from '../../client/index.ts';
import type { Meter } from '../../meta/meter.ts';
import type { OptionFiles } from '../files/option-files.ts';
import type { ResolvedOptions } from '../options.ts';

interface TokenWebhookDependencies {
  readonly options: ResolvedOptions;
  readonly files: OptionFiles;
  readonly audiences: readonly string[];
  /** Counts the calls. */
  readonly meter?: Meter | undefined;
  readonly signal: AbortSignal;
}

/** Throws a RangeError for an invalid kubeconfig. The connections end with the signal. */
export function tokenWebhook(
  kubeconfig: string,
  { options, files, audiences, meter, signal }: TokenWebhookDependencies,
): TokenAuthenticator {
  const endpoint = new JsonEndpoint(
    readKubeconfig(kubeconfig, (path) => files.readNow(path)),
    { meter },
  );
  signal.addEventListener('abort', () => endpoint.close(), { once: true });
  return new WebhookTokenAuthenticator({
    endpoint,
    version: options.authenticationTokenWebhookVersion,
    cacheMs: options.authenticationTokenWebhookCacheTtlMs,
    audiences,
  });
}
