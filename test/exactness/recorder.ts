import { type ApiObject, versionOf } from './api-object.ts';
import { type Connection, type OpenResponse, textOf } from './connection.ts';
import { readEvents } from './event-stream.ts';
import { History } from './history.ts';
import type { Progress } from './progress.ts';
import { type ResourceType, urlOf, wholeType } from './selection.ts';
import type { Availability } from './tested-server.ts';
import { refusal, Violation } from './violation.ts';

export interface RecorderOptions {
  readonly type: ResourceType;
  readonly subject: Availability;
  /** Closed when the recorder is stopped. */
  readonly connection: Connection;
}

/** Watches all objects of one type from before the first write and records their history. */
export class Recorder {
  readonly type: ResourceType;
  readonly history: History;
  readonly #subject: Availability;
  readonly #connection: Connection;
  #response: OpenResponse | undefined;
  #stopped = false;

  private constructor({ type, subject, connection }: RecorderOptions, history: History) {
    this.type = type;
    this.history = history;
    this.#subject = subject;
    this.#connection = connection;
  }

  static async start(options: RecorderOptions): Promise<Recorder> {
    const body = JSON.parse(await textOf(await options.connection.get(wholeType(options.type).path)));
    return new Recorder(options, new History(body.items as ApiObject[], versionOf(body)));
  }

  async run(progress: Progress): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#record(progress);
      } catch (error) {
        if (this.#stopped) return;
        if (error instanceof Violation) throw new Violation(`recorder of ${this.type}: ${error.message}`);
        if (!this.#subject.mayRestart) throw error;
      }
      await this.#subject.available();
    }
  }

  async #record(progress: Progress): Promise<void> {
    const resourceVersion = String(this.history.version);
    const response = await this.#connection.get(urlOf(wholeType(this.type), { watch: 'true', resourceVersion }));
    if (this.#stopped) return response.cut();
    this.#response = response;
    if (response.status !== 200) throw refusal('its watch', response.status, await textOf(response));
    for await (const event of readEvents(response, { cutAfter: undefined, rest: undefined }, progress)) {
      if (event.type === 'ERROR') {
        const { code, message } = event.object as unknown as { code?: number; message?: string };
        throw refusal('its watch', code, message);
      }
      this.history.record(event);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#response?.cut();
    this.#connection.close();
  }
}
