import type { TestServer } from './test-server.ts';
import { type FileServerOptions, TestedFile } from './tested-file.ts';

type Hook = (run: (context?: unknown) => Promise<void>) => unknown;

/** The hooks of a test runner: those of vitest and jest, or `before` and `after` of `node:test`. */
export type TestHooks = { readonly beforeEach: Hook; readonly afterEach: Hook } & (
  | { readonly beforeAll: Hook; readonly afterAll: Hook }
  | { readonly before: Hook; readonly after: Hook }
);

export type UseTestServerOptions = FileServerOptions;

/** The server of the tests of a file. */
export interface TestKit {
  /** Available only inside of tests and hooks. */
  readonly server: TestServer;
  /**
   * Wraps the function of a test, so that its failure is reported. It is for runners whose hooks do not report whether
   * a test failed. The hooks of vitest and `node:test` do, and `jestEnvironment` does for jest.
   */
  reported(run: (server: TestServer) => Promise<void>): () => Promise<void>;
}

/**
 * Gives the tests of a file a server. Each test starts with the objects that existed before the first one, including
 * those of `beforeAll` hooks of the file. When a test fails, the objects that it has changed and the requests are
 * reported. Files that run one after the other in the same process share a server if their options are equal.
 */
export function useTestServer(hooks: TestHooks, options: UseTestServerOptions = {}): TestKit {
  const file = new TestedFile(options);
  const [first, last] =
    'beforeAll' in hooks ? [hooks.beforeAll, hooks.afterAll] : ([hooks.before, hooks.after] as const);
  first(() => file.begin());
  hooks.beforeEach(() => file.beginTest());
  hooks.afterEach(async (context) => {
    const { hasFailed, name } = outcome(context);
    if (hasFailed) await file.reportFailure(name);
  });
  last(() => file.end());
  return {
    get server(): TestServer {
      return file.server;
    },
    reported: (run) => async () => {
      try {
        await run(file.server);
      } catch (error) {
        await file.reportFailure(undefined);
        throw error;
      }
    },
  };
}

interface TestContext {
  /** Set by vitest. */
  readonly task?: { readonly name?: string; readonly result?: { readonly state?: string } };
  /** Set by `node:test`, which passes the test itself. */
  readonly error?: unknown;
  readonly name?: string;
}

/** The arguments that runners pass to `afterEach`. Jest passes nothing. */
function outcome(context: unknown): { readonly hasFailed: boolean; readonly name: string | undefined } {
  const { task, error, name } = (context ?? {}) as TestContext;
  const hasFailed = task?.result?.state === 'fail' || (error !== undefined && error !== null);
  return { hasFailed, name: task?.name ?? name };
}
