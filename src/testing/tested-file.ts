import { takeServer, type UsedServer } from './shared-server.ts';
import type { Snapshot } from './snapshot.ts';
import type { TestServer, TestServerOptions } from './test-server.ts';

export interface FileServerOptions extends TestServerOptions {
  /** Gets the report of a failed test. Default: standard error. */
  readonly onFailure?: (report: string) => void;
}

/** The tests of a file. They share a server and each starts with the same state. */
export class TestedFile {
  readonly #options: TestServerOptions;
  readonly #onFailure: (report: string) => void;
  #used: UsedServer | undefined;
  #initial: Snapshot | undefined;

  constructor({ onFailure = (report) => console.error(report), ...options }: FileServerOptions) {
    this.#options = options;
    this.#onFailure = onFailure;
  }

  get server(): TestServer {
    if (this.#used === undefined) throw new Error('there is a server only inside of tests and hooks');
    return this.#used.server;
  }

  async begin(): Promise<void> {
    this.#used = await takeServer(this.#options);
    this.#initial = undefined;
  }

  /** The state before the first test is the initial state of all tests. */
  async beginTest(): Promise<void> {
    if (this.#initial !== undefined) await this.server.restore(this.#initial);
    this.#initial = await this.server.snapshot();
  }

  async reportFailure(test: string | undefined): Promise<void> {
    const name = test === undefined ? '' : `The test "${test}" has failed. `;
    this.#onFailure(name + (await this.server.describe(this.#initial!)));
  }

  async end(): Promise<void> {
    await this.#used?.release();
    this.#used = undefined;
  }
}
