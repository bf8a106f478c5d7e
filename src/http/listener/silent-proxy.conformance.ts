import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Forwards bytes until it falls silent, as if the cable had been pulled: neither side is notified. */
export class SilentProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('data', (chunk) => to.write(chunk));
        from.on('close', () => to.destroy());
      }
    });
  }

  /** The proxy is closed after the test. */
  static async start(target: number): Promise<SilentProxy> {
    const proxy = new SilentProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    onTestFinished(() => {
      for (const socket of proxy.#sockets) socket.destroy();
      proxy.#server.close();
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  fallSilent(): void {
    for (const socket of this.#sockets) socket.pause();
  }
}
