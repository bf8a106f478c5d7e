import { type Server, type ServerOptions, startServer } from '../server/index.ts';

/** Options of a test server: those of every server. The objects are kept in memory unless `storage` says otherwise. */
export interface TestServerOptions extends ServerOptions {}

/** A running server with the handles that tests need. */
export interface TestServer extends Server {
  /** Stops the server at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server for tests and resolves when it is ready. Rejects like `startServer`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer({ storage: 'memory', ...options });
  return { ...server, [Symbol.asyncDispose]: () => server.stop() };
}
