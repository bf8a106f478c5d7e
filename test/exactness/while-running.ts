import type { Connection } from './connection.ts';
import type { Progress } from './progress.ts';

interface RunningClient {
  /** Until it is stopped. Rejects when the server has broken a promise. */
  run(progress: Progress): Promise<void>;
  stop(): void;
}

export interface RunningClients {
  readonly clients: readonly RunningClient[];
  readonly progress: Progress;
  /** Closed in the end. */
  readonly connections: readonly Connection[];
}

/** Does the work while the clients run, and fails as soon as one of them does. */
export async function whileRunning(
  { clients, progress, connections }: RunningClients,
  work: () => Promise<void>,
): Promise<void> {
  const running = clients.map((client) => client.run(progress));
  // Nobody may be waiting for these when they fail.
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
