import type { ApiResponse, Call } from '../wire/api.ts';
import { type ApiObject, versionOf } from './api-object.ts';
import type { Journal } from './journal.ts';
import type { Progress } from './progress.ts';
import { names, namespaces, nodes, phases, type ResourceType, tiers, zones } from './selection.ts';
import type { TestedServer } from './tested-server.ts';
import { Violation } from './violation.ts';

export interface WriterOptions {
  readonly subject: TestedServer;
  readonly journal: Journal;
  readonly progress: Progress;
  readonly random: (limit: number) => number;
}

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const hold = 'example.com/hold';

interface Target {
  readonly type: ResourceType;
  readonly collection: string;
  readonly name: string;
  readonly path: string;
}

/** Changes random objects in random ways. Several writers run at the same time and conflict with each other. */
export class Writer {
  readonly #subject: TestedServer;
  readonly #journal: Journal;
  readonly #progress: Progress;
  readonly #random: (limit: number) => number;

  constructor({ subject, journal, progress, random }: WriterOptions) {
    this.#subject = subject;
    this.#journal = journal;
    this.#progress = progress;
    this.#random = random;
  }

  /** Stops early when the progress becomes calm. */
  async run(operations: number): Promise<void> {
    for (let done = 0; done < operations && !this.#progress.calm; done++) {
      await this.#operate(this.#target());
      this.#progress.wrote();
    }
  }

  /** Creates a new object. Returns its version. */
  async mark(type: ResourceType, name: string): Promise<number> {
    const collection = `/api/v1/namespaces/${namespaces[0]}/${type}`;
    const object = await this.#create({ type, collection, name, path: `${collection}/${name}` });
    if (object === undefined) throw new Violation(`${name} could not be made`);
    return versionOf(object);
  }

  #target(): Target {
    const type = this.#random(5) < 3 ? 'configmaps' : 'pods';
    const collection = `/api/v1/namespaces/${this.#one(namespaces)}/${type}`;
    const name = this.#one(names);
    return { type, collection, name, path: `${collection}/${name}` };
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#random(choices.length)]!;
  }

  async #operate(target: Target): Promise<void> {
    const choice = this.#random(100);
    if (choice < 30) await this.#create(target);
    else if (choice < 45) await this.#update(target);
    else if (choice < 62) await this.#patch(target, { metadata: { labels: this.#labels() } });
    else if (choice < 74) await this.#touch(target);
    else if (choice < 80) await this.#patch(target, { metadata: { finalizers: [hold] } });
    else if (choice < 90) await this.#patch(target, { metadata: { finalizers: null } });
    else if (choice < 99) await this.#delete(target);
    else await this.#sweep(target);
  }

  /** Returns a merge patch of labels. Null removes a label. */
  #labels(): Record<string, string | null> {
    return { tier: this.#one([...tiers, null]), zone: this.#one([...zones, null]) };
  }

  async #create({ type, collection, name }: Target): Promise<ApiObject | undefined> {
    const labels = Object.fromEntries(Object.entries(this.#labels()).filter(([, value]) => value !== null));
    const finalizers = this.#random(6) === 0 ? [hold] : undefined;
    const nodeName = this.#one([...nodes, undefined]);
    const content = type === 'pods' ? { spec: { containers: [{ name: 'c', image: 'i' }], nodeName } } : this.#data();
    const before = this.#progress.acknowledged;
    const object = await this.#write(type, {
      method: 'POST',
      path: collection,
      body: { metadata: { name, labels, finalizers }, ...content },
      accepted: [200, 201, 409],
    });
    if (object !== undefined && !(versionOf(object) > before)) {
      throw new Violation(`${name} was made at ${versionOf(object)}, after ${before}`);
    }
    return object;
  }

  /**
   * Returns data that is sometimes large enough to fill a stream without a reader, and that always has characters of
   * several bytes.
   */
  #data(): { data: Record<string, string> } {
    const text = this.#random(12) === 0 ? 'ü'.repeat(8_000) : 'ß';
    return { data: { text, count: String(this.#random(1_000_000)) } };
  }

  async #update({ type, path }: Target): Promise<void> {
    const read = await this.#send('GET', path, { accepted: [200, 404] });
    if (read?.status !== 200) return;
    const body = type === 'pods' ? { ...read.body } : { ...read.body, ...this.#data() };
    body.metadata = { ...body.metadata, annotations: { changed: String(this.#random(1_000_000)) } };
    await this.#write(type, { method: 'PUT', path, body, accepted: [200, 404, 409] });
  }

  async #patch({ type, path }: Target, body: unknown): Promise<void> {
    await this.#write(type, { method: 'PATCH', path, body, headers: mergePatch, accepted: [200, 404, 409, 422] });
  }

  async #touch(target: Target): Promise<void> {
    if (target.type === 'configmaps') return this.#patch(target, this.#data());
    if (this.#random(3) === 0) return this.#patch(target, { spec: { nodeName: this.#one(nodes) } });
    await this.#patch({ ...target, path: `${target.path}/status` }, { status: { phase: this.#one(phases) } });
  }

  async #delete({ type, path }: Target): Promise<void> {
    await this.#write(type, { method: 'DELETE', path: `${path}?gracePeriodSeconds=0`, accepted: [200, 404, 409] });
  }

  async #sweep({ type, collection }: Target): Promise<void> {
    const query = new URLSearchParams({ gracePeriodSeconds: '0', labelSelector: `tier=${this.#one(tiers)}` });
    const response = await this.#send('DELETE', `${collection}?${query}`, { accepted: [200], sweep: true });
    this.#journal.swept(type, response?.body.items ?? []);
  }

  /** Sends a write and records its result. Returns the object, or undefined if the write failed or has deleted it. */
  async #write(type: ResourceType, { method, path, ...call }: Sent & { method: string; path: string }) {
    const response = await this.#send(method, path, call);
    if (response === undefined || response.status >= 400) return undefined;
    if (response.body.kind === 'Status') {
      this.#journal.deleted(response.body.details.uid);
      return undefined;
    }
    const object = response.body as ApiObject;
    const { uid, finalizers, deletionTimestamp } = object.metadata;
    const gone = finalizers === undefined && (method === 'DELETE' || deletionTimestamp !== undefined);
    if (gone) this.#journal.deleted(uid);
    else this.#journal.wrote(type, object);
    if (!gone) this.#progress.acknowledged = Math.max(this.#progress.acknowledged, versionOf(object));
    return object;
  }

  /** Returns undefined when the connection failed. It is then unknown whether the write was executed. */
  async #send(method: string, path: string, call: Sent): Promise<ApiResponse | undefined> {
    const { accepted, sweep = false, ...rest } = call;
    let response: ApiResponse;
    try {
      response = await this.#subject.api.call(method, path, rest);
    } catch (error) {
      if (!this.#subject.mayRestart) throw error;
      if (method !== 'GET') this.#journal.lost({ sweep });
      await this.#subject.available();
      return undefined;
    }
    if (accepted.includes(response.status)) return response;
    throw new Violation(`${method} ${path} was answered with ${response.status}: ${response.text}`);
  }
}

interface Sent extends Call {
  readonly accepted: readonly number[];
  /** Whether the request deletes a collection. */
  readonly sweep?: boolean;
}
