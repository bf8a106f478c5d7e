import { WebhookClient, type WebhookClientConfig, type WebhookClientOptions } from './webhook-client.ts';
import { WebhookTargets } from './webhook-targets.ts';

const maxClients = 200;

/**
 * Shares one client between all webhooks with the same configuration, and connections between those of the same server.
 * When there are too many clients, the least recently used one is closed.
 */
export class WebhookClients {
  readonly #options: WebhookClientOptions;
  readonly #targets = new WebhookTargets();
  readonly #clients = new Map<string, WebhookClient>();

  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  /** Must be called for each use, so that closed clients are replaced. Throws a WebhookError for an invalid URL. */
  get(config: WebhookClientConfig): WebhookClient {
    const { url, service, caBundle } = config;
    const key = JSON.stringify([url, service?.namespace, service?.name, service?.path, service?.port, caBundle]);
    const client = this.#clients.get(key) ?? new WebhookClient(config, { ...this.#options, targets: this.#targets });
    this.#clients.delete(key);
    this.#clients.set(key, client);
    if (this.#clients.size > maxClients) this.#closeOldest();
    return client;
  }

  /** Lets pending calls finish and closes idle connections. */
  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #closeOldest(): void {
    const key = this.#clients.keys().next().value!;
    this.#clients.get(key)!.close();
    this.#clients.delete(key);
  }
}
