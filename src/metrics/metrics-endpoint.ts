import type { PathHandler } from '../http/api-route.ts';
import { acceptsGzip } from '../http/compression/accepts-gzip.ts';
import { GzipExchange } from '../http/compression/gzip-exchange.ts';
import type { Exchange } from '../http/exchange.ts';
import { headersOf, respondText } from '../http/render.ts';
import { type ExpositionFormat, negotiateExposition } from './exposition-format.ts';
import type { MetricsRegistry, MetricsSnapshot } from './metrics-registry.ts';

export interface MetricsEndpointOptions {
  /** The registries by path. */
  readonly registries: Readonly<Record<string, MetricsRegistry>>;
  /** Whether DELETE resets the counters and histograms. */
  readonly allowsReset: boolean;
  /** Set for a server with several threads. */
  readonly otherThreads?: OtherThreadMetrics | undefined;
}

/** The metrics of the other threads of a server. */
export interface OtherThreadMetrics {
  metrics(path: string): Promise<readonly MetricsSnapshot[]>;
  /** Resolves when all reachable threads have reset their metrics. */
  resetMetrics(path: string): Promise<unknown>;
}

/** Serves the metrics of registries, in the format that the client prefers. */
export class MetricsEndpoint implements PathHandler {
  readonly paths: readonly string[];
  readonly #options: MetricsEndpointOptions;
  /** Responses that are being rendered, by path and format. Concurrent requests share them. */
  readonly #rendering = new Map<string, Promise<string>>();

  constructor(options: MetricsEndpointOptions) {
    this.#options = options;
    this.paths = Object.keys(options.registries);
  }

  handle(exchange: Exchange, path: string): Promise<void> | false {
    const { registries, allowsReset } = this.#options;
    const registry = Object.hasOwn(registries, path) ? registries[path] : undefined;
    if (registry === undefined) return false;
    if (exchange.method !== 'DELETE' || !allowsReset) return this.#respond(exchange, path, registry);
    return this.#reset(exchange, path, registry);
  }

  async #reset(exchange: Exchange, path: string, registry: MetricsRegistry): Promise<void> {
    registry.reset();
    await this.#options.otherThreads?.resetMetrics(path);
    respondText(exchange, 200, 'metrics reset\n');
  }

  async #respond(exchange: Exchange, path: string, registry: MetricsRegistry): Promise<void> {
    const format = negotiateExposition(exchange.header('accept'));
    const key = `${path} ${format.isOpenMetrics}`;
    let rendering = this.#rendering.get(key);
    if (rendering === undefined) {
      rendering = this.#render(path, registry, format).finally(() => this.#rendering.delete(key));
      this.#rendering.set(key, rendering);
    }
    const text = await rendering;
    // The deadline may have responded meanwhile.
    if (exchange.responded) return;
    const sent = acceptsGzip(exchange.header('accept-encoding')) ? new GzipExchange(exchange) : exchange;
    sent.respond(200, headersOf(exchange, format.contentType), text);
  }

  async #render(path: string, registry: MetricsRegistry, format: ExpositionFormat): Promise<string> {
    const { otherThreads } = this.#options;
    const whole = otherThreads === undefined ? registry : await registry.with(await otherThreads.metrics(path));
    return whole.render(format);
  }
}
