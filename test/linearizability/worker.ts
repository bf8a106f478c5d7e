import type { Progress } from '../exactness/progress.ts';
import { namePrefix, ObjectClient, type ObjectClientOptions } from './object-client.ts';
import type { ObjectContent, ObjectInput, ObjectOutput } from './object-model.ts';

/** The content of each object in the latest response. */
export type LastSeen = Map<string, ObjectContent>;

export interface WorkerOptions extends ObjectClientOptions {
  readonly namespaces: readonly string[];
  /** The number of objects in each namespace. It is small, so that clients conflict with each other. */
  readonly objects: number;
  /** Shared by all workers. */
  readonly lastSeen: LastSeen;
  readonly progress: Progress;
}

/** Executes random operations one after the other. Every value that it writes is unique. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #client: ObjectClient;
  readonly #ownLastSeen: LastSeen = new Map();
  #written = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#client = new ObjectClient(options);
  }

  async run(operations: number): Promise<void> {
    const { progress } = this.#options;
    for (let done = 0; done < operations && !progress.calm; done++) await this.#operate();
    this.#client.close();
  }

  async #operate(): Promise<void> {
    const { namespaces, objects, random, lastSeen, progress } = this.#options;
    const namespace = namespaces[random(namespaces.length)]!;
    const name = `${namePrefix}${random(objects)}`;
    const choice = random(100);
    if (choice < 10) {
      const atLeast = random(2) === 0 ? 0 : progress.acknowledged;
      return this.#client.readCached(namespace, choice < 5 ? undefined : name, atLeast);
    }
    // The content that the worker itself has seen is mostly outdated.
    const seen = (random(3) === 0 ? this.#ownLastSeen : lastSeen).get(`${namespace}/${name}`);
    const input = this.#input(choice, { namespace, name, seen });
    const output = await this.#client.perform(input);
    if (output !== undefined) this.#learn(input, output);
    if (input.verb !== 'get' && input.verb !== 'list') progress.wrote();
  }

  #input(choice: number, { namespace, name, seen }: Target): ObjectInput {
    const target = { namespace, name };
    if (choice < 28) return { verb: 'get', ...target };
    if (choice < 38) return { verb: 'list', namespace };
    const version = seen === undefined ? {} : { version: seen.version };
    if (choice < 52) return { verb: 'create', ...target, data: { value: this.#value() } };
    if (choice < 64) return { verb: 'update', ...target, data: { value: this.#value() }, ...version };
    if (choice < 70) return { verb: 'update', ...target, data: { value: this.#value() } };
    if (choice < 80) return { verb: 'patch', ...target, data: this.#merged() };
    if (choice < 87) return { verb: 'patch', ...target, data: this.#merged(), ...version };
    if (choice < 93) return { verb: 'delete', ...target };
    if (choice < 97) return { verb: 'delete', ...target, ...version };
    return { verb: 'delete', ...target, ...(seen !== undefined && { uid: seen.uid }) };
  }

  #merged(): Record<string, string | null> {
    const value = this.#value();
    return this.#options.random(3) === 0 ? { value: null, more: value } : { more: value };
  }

  #value(): string {
    return `${this.#options.name}, ${++this.#written}`;
  }

  #learn(input: ObjectInput, output: ObjectOutput): void {
    const { lastSeen, progress } = this.#options;
    const see = (name: string, content: ObjectContent): void => {
      lastSeen.set(`${input.namespace}/${name}`, content);
      this.#ownLastSeen.set(`${input.namespace}/${name}`, content);
    };
    if (output.kind === 'list') {
      for (const [name, content] of output.items) see(name, content);
    } else if (output.kind === 'object' && input.verb !== 'list') {
      see(input.name, output.object);
      progress.acknowledged = Math.max(progress.acknowledged, output.object.version);
    }
  }
}

interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly seen: ObjectContent | undefined;
}
