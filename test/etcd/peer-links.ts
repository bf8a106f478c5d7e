import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A connection between two members. */
interface PeerConnection {
  /** The IDs of the members, as in their requests. */
  readonly from: string;
  readonly to: number;
  readonly sockets: readonly Socket[];
}

const senderHeader = /^x-server-from: ([0-9a-f]+)\r$/im;

/**
 * Proxies between the members of a cluster. One member can be isolated from the others: no data is passed on, but
 * connections stay open. Clients can still reach the member.
 */
export class PeerLinks {
  readonly #servers: Server[] = [];
  readonly #connections = new Set<PeerConnection>();
  #targets: readonly string[] = [];
  #isolated: { readonly index: number; readonly id: string } | undefined = undefined;

  /** Starts the listeners for the connections between the members. */
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

  /** Sets the addresses at which the members listen. */
  connectTo(targets: readonly string[]): void {
    this.#targets = targets;
  }

  /** Isolates a member. The ID is the one that etcd has assigned. */
  isolate(index: number, id: string): void {
    this.#isolated = { index, id: BigInt(id).toString(16) };
    this.#update();
  }

  /** Passes on data again, including the data that was sent in the meantime. */
  heal(): void {
    this.#isolated = undefined;
    this.#update();
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const { sockets } of this.#connections) for (const socket of sockets) socket.destroy();
  }

  /** The first request of a connection contains the ID of the member that opened it. */
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
