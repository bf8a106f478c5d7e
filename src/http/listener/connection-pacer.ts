import type { Socket } from 'node:net';

/** The steps of connections in one turn of the event loop. Together they cost about a millisecond per connection. */
const maxPerTurn = 4;

/**
 * Spreads the steps of new connections, the TLS handshake and the first request, over the turns of the event loop:
 * hundreds of clients that connect at once must not delay those that are connected.
 */
export class ConnectionPacer {
  /** The waiting steps in the order of their arrival. */
  readonly #waiting = new Map<Socket, () => void>();
  #taken = 0;
  #isTurnRequested = false;

  /**
   * Runs the next step of a connection, now or in a later turn. The step is skipped if the connection is closed by
   * then.
   */
  pace(socket: Socket, step: () => void): void {
    if (this.#taken < maxPerTurn && this.#waiting.size === 0) this.#take(socket, step);
    else this.#waiting.set(socket, step);
  }

  #take(socket: Socket, step: () => void): void {
    if (!this.#isTurnRequested) {
      this.#isTurnRequested = true;
      setImmediate(this.#nextTurn);
    }
    if (socket.destroyed) return;
    this.#taken++;
    step();
  }

  readonly #nextTurn = (): void => {
    this.#isTurnRequested = false;
    this.#taken = 0;
    for (const [socket, step] of this.#waiting) {
      if (this.#taken === maxPerTurn) return;
      this.#waiting.delete(socket);
      this.#take(socket, step);
    }
  };
}
