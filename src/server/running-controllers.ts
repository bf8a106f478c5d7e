import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from '../client/index.ts';
import { type Controller, runControllers } from '../controllers/index.ts';
import { buildInfo } from './build-info.ts';
import type { ResolvedOptions } from './options.ts';

interface ControllerParts {
  readonly options: ResolvedOptions;
  readonly client: Client;
  readonly controllers: readonly Controller[];
}

/** The controllers of this server, from the first moment at which they can run. */
export class RunningControllers {
  readonly #parts: ControllerParts;
  readonly #end = new AbortController();
  #done: Promise<void> | undefined;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { options, client, controllers } = this.#parts;
    this.#done = runControllers(
      {
        client,
        controllers,
        identity: `${hostname()}_${randomUUID()}`,
        version: buildInfo().packageVersion,
        report: (err, controller) => options.log.error('controller failed', { controller, err }),
        // Both kinds of storage belong to one server at a time.
        election: { isAlone: true },
      },
      this.#end.signal,
    );
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }
}
