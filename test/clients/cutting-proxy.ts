import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can cut all of its connections. */
export class CuttingProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  #refuses = false;

  private constructor(server: Server, sockets: Set<Socket>, protocol: string) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.prependListener('connection', (client: Socket) => {
      if (this.#refuses) client.resetAndDestroy();
    });
  }

  static async start(target: string): Promise<CuttingProxy> {
    const { protocol, hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      if (client.destroyed) return;
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
    return new CuttingProxy(server, sockets, protocol);
  }

  /** Closes all connections without a response. New connections are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Closes all connections, and all new ones until `accept` is called. */
  refuse(): void {
    this.#refuses = true;
    this.cut();
  }

  accept(): void {
    this.#refuses = false;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }
}
