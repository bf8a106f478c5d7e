import type { Server, ServerOptions } from '../../src/index.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import { createMemoryStorage, type Storage } from '../../src/storage/index.ts';
import { LaggingStorage } from '../../src/storage/lagging-storage.conformance.ts';
import { createRandom } from '../faults/random.ts';

/** The maximum delay of the watches of a server, in milliseconds. */
const maxLagMs = 10;

/**
 * Starts a server whose view of the store lags. Several servers may share the store, one after the other or at the same
 * time.
 */
export function startLagging(options: ServerOptions, store: Storage = createMemoryStorage()): Promise<Server> {
  const random = createRandom(1);
  return startServerOn(async () => new LaggingStorage(store, { delayMs: () => random(maxLagMs) }), options);
}
