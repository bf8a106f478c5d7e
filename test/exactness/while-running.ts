import type { Connection } from './connection.ts';
import type { Progress } from './progress.ts';

interface RunningClient {
  /** Runs until it is stopped. Rejects when the server violates a guarantee. */
  run(progress: Progress): Promise<void>;
  stop(): void;
}

export interface RunningClients {
  readonly clients: readonly RunningClient[];
  readonly progress: Progress;
  /** Connections that are closed at the end. */
  readonly connections: readonly Connection[];
}

/** Does the work while the clients run. Fails as soon as one of them fails. */
export async function whileRunning(
  { clients, progress, connections }: RunningClients,
  work: () => Promise<void>,
): Promise<void> {
  const running = clients.map((client) => client.run(progress));
  // The promises may reject before anything awaits them.
  const failed = new Promise<never>((_, reject) => {
    for (const run of running) run.catch(reject);
  });
  try {
    await Promise.race([work(), failed]);
  } finally {
    progress.calmDown();
    for (const client of clients) client.stop();
    for (const connection of connections) connection.close();
    await Promise.allSettled(running);
  }
}
