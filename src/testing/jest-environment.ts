import type { TestServer } from './test-server.ts';
import { type FileServerOptions, TestedFile } from './tested-file.ts';

/** An event of jest's runner. */
interface JestEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/** The required interface of a jest environment, such as that of `jest-environment-node`. */
interface JestEnvironment {
  readonly global: object;
  setup(): Promise<void>;
  teardown(): Promise<void>;
  handleTestEvent?(event: JestEvent, state: unknown): void | Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a mixin base class must accept any arguments.
type JestEnvironmentClass = new (...args: any[]) => JestEnvironment;

/**
 * Creates a jest environment in which the tests of a file have a server: `keelson.server`. Each test starts with the
 * objects that existed before the first one, and a failure is reported. The files that a worker runs share a server if
 * their options are the same.
 */
export function jestEnvironment<Base extends JestEnvironmentClass>(base: Base, options: FileServerOptions = {}): Base {
  return class extends base {
    readonly #file = new TestedFile(options);

    override async setup(): Promise<void> {
      await super.setup();
      await this.#file.begin();
      const file = this.#file;
      Object.assign(this.global, {
        keelson: {
          get server(): TestServer {
            return file.server;
          },
        },
      });
    }

    override async teardown(): Promise<void> {
      await this.#file.end();
      await super.teardown();
    }

    override async handleTestEvent(event: JestEvent, state: unknown): Promise<void> {
      await super.handleTestEvent?.(event, state);
      const { name, test } = event;
      // The hooks of the whole file have run before.
      if (name === 'test_start') await this.#file.beginTest();
      if (name === 'test_done' && test!.errors.length > 0) await this.#file.reportFailure(test!.name);
    }
  };
}
