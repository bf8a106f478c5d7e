import {
  openStorage,
  type Server,
  type ServerOptions,
  type ServerParts,
  type StartInternals,
  startServerOn,
} from '../server/index.ts';
import type { Storage } from '../storage/index.ts';
import { copyStore } from './store-copy.ts';

/** Options of a test server: those of every server. The objects are kept in memory unless `storage` says otherwise. */
export interface TestServerOptions extends ServerOptions {}

/** Options of a fork: those that differ from the server it is made of. */
export interface ForkOptions extends Omit<TestServerOptions, 'storage' | 'dataDir'> {}

/** A running server with the handles that tests need. */
export interface TestServer extends Server {
  /**
   * Starts another server with all objects, whatever happens to this one later. It has another port and the same
   * certificates and keys, so that the clients of this server can use it. Its objects are in memory. Its revisions go on
   * from those of this server.
   */
  fork(options?: ForkOptions): Promise<TestServer>;
  /** Stops the server at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server for tests and resolves when it is ready. Rejects like `startServer`. */
export function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return start({ storage: 'memory', ...options }, openStorage, {});
}

async function start(
  options: ServerOptions,
  open: Parameters<typeof startServerOn>[0],
  internals: StartInternals,
): Promise<TestServer> {
  let parts: ServerParts | undefined;
  const server = await startServerOn(open, options, { ...internals, onParts: (made) => (parts = made) });
  const { store, material } = parts!;
  return {
    ...server,
    fork: async (different = {}) => {
      const copy: Storage = await copyStore(store);
      const { dataDir: _dataDir, securePort: _securePort, ...same } = options;
      return start({ ...same, ...different, storage: 'memory' }, async () => copy, { material, isCopy: true });
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
