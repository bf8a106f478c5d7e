import type { Connection } from '../../http/exchange.ts';

/**
 * A connection stays on the thread that has accepted it. When a thread is added, clients of older connections are asked
 * with their next request to connect again, and the system spreads them over all threads.
 */
export class MovingClients {
  #since = Number.NEGATIVE_INFINITY;

  /** Applies to all connections that are open now. */
  start(): void {
    this.#since = performance.now();
  }

  onRequest({ acceptedAt, moveClient }: Pick<Connection, 'acceptedAt' | 'moveClient'>): void {
    if (acceptedAt !== undefined && acceptedAt < this.#since) moveClient?.();
  }
}
