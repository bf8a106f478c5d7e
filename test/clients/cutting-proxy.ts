import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Carries bytes to a server and back, until it cuts all connections. */
export class CuttingProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect({ host: hostname, port: Number(port) });
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
      }
      client.pipe(upstream).pipe(client);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CuttingProxy(server, sockets);
  }

  /** Ends all connections without a word. New ones are served. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}
