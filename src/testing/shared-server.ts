import type { Snapshot } from './snapshot.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** A server in use by one file. */
export interface UsedServer {
  readonly server: TestServer;
  release(): Promise<void>;
}

interface SharedServer {
  readonly started: Promise<{ readonly server: TestServer; readonly pristine: Snapshot }>;
  uses: number;
  stopping: NodeJS.Timeout | undefined;
}

/** How long a server waits for the next file. */
const keepMs = 200;

/** Kept in `globalThis`, because some runners load this module again for every file. */
const shared = globalThis as { [key: symbol]: Map<string, SharedServer> | undefined };
const sharedKey = Symbol.for('keelson/testing servers');

/** One server per process for callers with equal plain options. Other callers get their own server. */
export async function takeServer(options: TestServerOptions): Promise<UsedServer> {
  const isShareable = Object.values(options).every((value) => typeof value !== 'object' && typeof value !== 'function');
  if (!isShareable) {
    const server = await startTestServer(options);
    return { server, release: () => server.stop() };
  }
  shared[sharedKey] ??= new Map();
  const servers = shared[sharedKey];
  const key = JSON.stringify(Object.entries(options).sort());
  const known = servers.get(key) ?? { started: startShared(options), uses: 0, stopping: undefined };
  servers.set(key, known);
  clearTimeout(known.stopping);
  known.uses++;
  const { server, pristine } = await known.started;
  return {
    server,
    release: async () => {
      if (--known.uses > 0) return;
      await server.restore(pristine);
      known.stopping = setTimeout(() => {
        servers.delete(key);
        void server.stop();
      }, keepMs);
    },
  };
}

async function startShared(options: TestServerOptions) {
  const server = await startTestServer(options);
  await server.untilQuiet();
  return { server, pristine: await server.snapshot() };
}
