import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A connection between two members. */
interface PeerConnection {
  /** The IDs of the members, as they write them in their requests. */
  readonly from: string;
  readonly to: number;
  readonly sockets: readonly Socket[];
}

const senderHeader = /^x-server-from: ([0-9a-f]+)\r$/im;

/**
 * The ways between the members of a cluster. One member can be cut off from the others: nothing comes through, and nobody
 * is told so. Clients reach it as before.
 */
export class PeerLinks {
  readonly #servers: Server[] = [];
  readonly #connections = new Set<PeerConnection>();
  #targets: readonly string[] = [];
  #isolated: { readonly index: number; readonly id: string } | undefined = undefined;

  /** Where the members reach each other. */
  static async start(count: number): Promise<PeerLinks> {
    const links = new PeerLinks();
    for (let index = 0; index < count; index++) {
      const server = createServer((socket) => links.#accept(socket, index));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      links.#servers.push(server);
    }
    return links;
  }

  get endpoints(): string[] {
    return this.#servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Where the members listen. */
  connectTo(targets: readonly string[]): void {
    this.#targets = targets;
  }

  /** Cuts a member off. The ID is the number that etcd has given it. */
  isolate(index: number, id: string): void {
    this.#isolated = { index, id: BigInt(id).toString(16) };
    this.#update();
  }

  /** What was sent meanwhile arrives now. */
  heal(): void {
    this.#isolated = undefined;
    this.#update();
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const { sockets } of this.#connections) for (const socket of sockets) socket.destroy();
  }

  /** Who connects is known from its first request. */
  #accept(socket: Socket, to: number): void {
    socket.on('error', () => {});
    socket.once('data', (first: Buffer) => {
      socket.pause();
      const from = senderHeader.exec(first.toString('latin1'))?.[1] ?? '';
      const { hostname: host, port } = new URL(this.#targets[to]!);
      const target = connect({ host, port: Number(port) });
      target.on('error', () => {});
      const connection = { from, to, sockets: [socket, target] };
      this.#connections.add(connection);
      const end = (): void => {
        for (const one of connection.sockets) one.destroy();
        this.#connections.delete(connection);
      };
      socket.on('close', end);
      target.on('close', end);
      socket.unshift(first);
      socket.on('data', (data: Buffer) => target.write(data));
      target.on('data', (data: Buffer) => socket.write(data));
      this.#set(connection);
    });
  }

  #update(): void {
    for (const connection of this.#connections) this.#set(connection);
  }

  #set({ from, to, sockets }: PeerConnection): void {
    const isCut = this.#isolated !== undefined && (this.#isolated.index === to || this.#isolated.id === from);
    for (const socket of sockets) {
      if (isCut) socket.pause();
      else socket.resume();
    }
  }
}
