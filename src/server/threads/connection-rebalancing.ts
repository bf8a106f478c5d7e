import type { Connection } from '../../http/exchange.ts';

/**
 * Asks clients to reconnect after a thread was added. A connection stays on the thread that accepted it, and the system
 * spreads new connections over all threads. Clients of older connections are asked with their next request.
 */
export class ConnectionRebalancing {
  #since = Number.NEGATIVE_INFINITY;

  /** Moves the clients of all connections that are open now. */
  start(): void {
    this.#since = performance.now();
  }

  onRequest({ acceptedAt, moveClient }: Pick<Connection, 'acceptedAt' | 'moveClient'>): void {
    if (acceptedAt !== undefined && acceptedAt < this.#since) moveClient?.();
  }
}
