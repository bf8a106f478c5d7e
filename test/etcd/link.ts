import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy for a member of etcd that can be cut or slowed down. When it is cut, it passes on no data, but
 * connections stay open.
 */
export class Link {
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #delayMs = 0;
  #healed: (() => void)[] = [];

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#connect(socket));
  }

  static async to(target: string): Promise<Link> {
    const link = new Link(target);
    await once(link.#server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get endpoint(): string {
    return `${this.#target.protocol}//127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on data again, including the data that was sent in the meantime. */
  heal(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
    for (const connect of this.#healed.splice(0)) connect();
  }

  /** Delays all data by this time from now on, in both directions. Existing connections are closed. */
  slowDown(delayMs: number): void {
    this.#delayMs = delayMs;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(socket: Socket): void {
    this.#add(socket);
    const open = (): void => {
      const target = connect({ host: this.#target.hostname, port: Number(this.#target.port) });
      this.#add(target);
      this.#pass(socket, target);
      this.#pass(target, socket);
      if (!this.#isCut) socket.resume();
    };
    if (this.#isCut) this.#healed.push(open);
    else open();
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #pass(from: Socket, to: Socket): void {
    from.on('data', (data) => {
      if (this.#delayMs === 0) to.write(data);
      else setTimeout(() => to.write(data), this.#delayMs);
    });
    from.on('close', () => to.destroy());
  }
}
