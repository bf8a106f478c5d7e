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
  readonly stop: AbortSignal;
}

/** Throws a RangeError for an invalid kubeconfig. The calls end with the signal. */
export function tokenWebhook(
  kubeconfig: string,
  { options, files, audiences, meter, stop }: TokenWebhookDependencies,
): TokenAuthenticator {
  const endpoint = new JsonEndpoint(accessOf(kubeconfig, files), { meter, stop });
  stop.addEventListener('abort', () => endpoint.close(), { once: true });
  return new WebhookTokenAuthenticator({
    endpoint,
    version: options.authenticationTokenWebhookVersion,
    cacheMs: options.authenticationTokenWebhookCacheTtlMs,
    audiences,
  });
}

function accessOf(kubeconfig: string, files: OptionFiles): ReturnType<typeof readKubeconfig> {
  try {
    return readKubeconfig(kubeconfig, (path) => files.readNow(path));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`authentication-token-webhook-config-file: ${error.message}`, { cause: error });
  }
}
