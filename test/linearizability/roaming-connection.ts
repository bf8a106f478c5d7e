import type { Connection } from '../exactness/connection.ts';

/** Sends each request to a random server. */
export function roam(connections: readonly Connection[], random: (limit: number) => number): Connection {
  const one = (): Connection => connections[random(connections.length)]!;
  return {
    get: (path) => one().get(path),
    send: (path, sent, signal) => one().send(path, sent, signal),
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}
