import type { Snapshot } from './snapshot.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

type Hook = (run: (context?: unknown) => Promise<void>) => unknown;

/** The hooks of a test runner: those of vitest and jest, or `before` and `after` of `node:test`. */
export type TestHooks = { readonly beforeEach: Hook; readonly afterEach: Hook } & (
  | { readonly beforeAll: Hook; readonly afterAll: Hook }
  | { readonly before: Hook; readonly after: Hook }
);

export interface UseTestServerOptions extends TestServerOptions {
  /** Gets the report of a failed test. Default: standard error. */
  readonly onFailure?: (report: string) => void;
}

/** The server of the tests of a file. */
export interface TestKit {
  /** Only inside of tests and hooks. */
  readonly server: TestServer;
  /**
   * Wraps the function of a test: its failure is reported. For runners, such as jest, whose hooks do not learn whether a
   * test has failed. The others need it not.
   */
  reported(run: (server: TestServer) => Promise<void>): () => Promise<void>;
}

/**
 * Gives the tests of a file a server. Each test begins with the objects that were there before the first one, so also with
 * those that `beforeAll` hooks of the file have made. When a test fails, the objects that it has changed and the requests
 * are reported. Files that run in one process after each other share a server if their options are the same.
 */
export function useTestServer(hooks: TestHooks, options: UseTestServerOptions = {}): TestKit {
  const { onFailure = (report) => console.error(report), ...serverOptions } = options;
  let used: UsedServer | undefined;
  let initial: Snapshot | undefined;
  const report = async (): Promise<void> => onFailure(await used!.server.describe(initial!));
  const [first, last] =
    'beforeAll' in hooks ? [hooks.beforeAll, hooks.afterAll] : ([hooks.before, hooks.after] as const);
  first(async () => {
    used = await takeServer(serverOptions);
    initial = undefined;
  });
  hooks.beforeEach(async () => {
    if (initial !== undefined) await used!.server.restore(initial);
    initial = await used!.server.snapshot();
  });
  hooks.afterEach(async (context) => {
    if (hasFailed(context)) await report();
  });
  last(async () => {
    await used?.release();
    used = undefined;
  });
  return {
    get server(): TestServer {
      if (used === undefined) throw new Error('there is a server only inside of tests and hooks');
      return used.server;
    },
    reported: (run) => async () => {
      try {
        await run(used!.server);
      } catch (error) {
        await report();
        throw error;
      }
    },
  };
}

/** What the runners tell `afterEach`: vitest the task, `node:test` the test itself. Jest tells nothing. */
function hasFailed(context: unknown): boolean {
  const { task, error } = (context ?? {}) as { task?: { result?: { state?: string } }; error?: unknown };
  return task?.result?.state === 'fail' || (error !== undefined && error !== null);
}

interface UsedServer {
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

/** Not in this module: some runners load it again for every file. */
const shared = globalThis as { [key: symbol]: Map<string, SharedServer> | undefined };
const sharedKey = Symbol.for('keelson/testing servers');

async function takeServer(options: TestServerOptions): Promise<UsedServer> {
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
