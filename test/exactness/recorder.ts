import { type ApiObject, versionOf } from './api-object.ts';
import { type Connection, http1Connection, type OpenResponse, textOf } from './connection.ts';
import { readEvents } from './event-stream.ts';
import { History } from './history.ts';
import type { Progress } from './progress.ts';
import { type ResourceType, urlOf, wholeType } from './selection.ts';
import type { TestedServer } from './tested-server.ts';
import { Violation } from './violation.ts';

/** Watches everything of one type from before the first write, and makes the history of it. */
export class Recorder {
  readonly type: ResourceType;
  readonly history: History;
  readonly #subject: TestedServer;
  readonly #connection: Connection;
  #response: OpenResponse | undefined;
  #stopped = false;

  private constructor(parts: { type: ResourceType; subject: TestedServer; connection: Connection; history: History }) {
    this.type = parts.type;
    this.history = parts.history;
    this.#subject = parts.subject;
    this.#connection = parts.connection;
  }

  static async start(type: ResourceType, subject: TestedServer): Promise<Recorder> {
    const connection = http1Connection(subject.api);
    const body = JSON.parse(await textOf(await connection.get(wholeType(type).path)));
    const history = new History(body.items as ApiObject[], versionOf(body));
    return new Recorder({ type, subject, connection, history });
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
    if (response.status !== 200) throw new Violation(`its watch was answered with ${response.status}`);
    for await (const event of readEvents(response, { cutAfter: undefined, rest: undefined }, progress)) {
      if (event.type === 'ERROR') throw new Violation('its watch failed');
      this.history.record(event);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#response?.cut();
    this.#connection.close();
  }
}
