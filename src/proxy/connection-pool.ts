import type { UpstreamServer } from './open-socket.ts';
import { ServerConnections } from './server-connections.ts';

/** The connections to many servers. The entry of a server is removed when its last connection is closed. */
export class ConnectionPool {
  readonly #servers = new Map<string, ServerConnections>();

  /** Only connections with the same certificates are reused: a connection keeps its identity and its trusted CAs. */
  to(server: UpstreamServer): ServerConnections {
    const key = keyOf(server);
    const known = this.#servers.get(key);
    if (known !== undefined) return known;
    const connections = new ServerConnections(server, () => {
      this.#servers.delete(key);
    });
    this.#servers.set(key, connections);
    return connections;
  }

  /** Closes the connections that are not in use, and the others after their request. */
  close(): void {
    for (const connections of this.#servers.values()) connections.close();
  }
}

function keyOf({ protocol, host, port, tls = {} }: UpstreamServer): string {
  const address = `${protocol}//${host}|${port}`;
  if (protocol === 'http:') return address;
  const { ca, cert, key, rejectUnauthorized, servername } = tls;
  return [address, servername, rejectUnauthorized, ca, cert, key].join('|');
}
