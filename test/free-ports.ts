import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems assign to connections and to servers that ask for any port. */
const range = { first: 10_000, end: 30_000 } as const;

/** Returns a port that nothing uses, for a server that is started on it later, or several times. */
export async function freePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}

/** Returns different ports that nothing uses. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = randomInt(range.first, range.end);
    const server = createServer();
    const opened = once(server, 'listening');
    server.listen(port, '127.0.0.1');
    // Taken by a server, or twice the same number.
    const isFree = await opened.then(
      () => true,
      () => false,
    );
    if (isFree) servers.set(port, server);
  }
  await Promise.all(Array.from(servers.values(), (server) => once(server.close(), 'close')));
  return [...servers.keys()];
}
