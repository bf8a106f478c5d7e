import type { Socket } from 'node:net';

/**
 * Counts connections by client address, so that one client cannot use all of them. A proxy in front of the server
 * counts as one client.
 */
export class ConnectionLimits {
  readonly #maxPerClient: number;
  readonly #open = new Map<string, number>();

  constructor(maxPerClient: number) {
    this.#maxPerClient = maxPerClient;
  }

  /** Counts the connection until it closes. Returns false, and closes it, when its client has too many. */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const count = this.#open.get(remoteAddress) ?? 0;
    if (count >= this.#maxPerClient) {
      socket.destroy();
      return false;
    }
    this.#open.set(remoteAddress, count + 1);
    socket.once('close', () => {
      const left = this.#open.get(remoteAddress)! - 1;
      if (left === 0) this.#open.delete(remoteAddress);
      else this.#open.set(remoteAddress, left);
    });
    return true;
  }
}
