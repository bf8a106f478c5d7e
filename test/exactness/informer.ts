import { type ApiObject, versionOf, type WatchEvent } from './api-object.ts';
import { type Connection, type OpenResponse, textOf } from './connection.ts';
import { readEvents, type StreamPlan } from './event-stream.ts';
import { Following, type FollowingStream } from './following.ts';
import { type Chunk, type ListPlan, list } from './listing.ts';
import type { Progress } from './progress.ts';
import { type Selection, urlOf } from './selection.ts';
import type { Availability } from './tested-server.ts';
import { refusal, Violation } from './violation.ts';

export interface InformerOptions {
  readonly name: string;
  readonly subject: Availability;
  readonly connection: Connection;
  readonly selection: Selection;
  readonly progress: Progress;
  readonly random: (limit: number) => number;
  /** Whether the initial state is read with a watch instead of a list. */
  readonly streams: boolean;
}

/** Follows a selection as clients do, with interruptions of all kinds, and records everything that it receives. */
export class Informer {
  readonly name: string;
  readonly selection: Selection;
  /** One for each initial state, oldest first. */
  readonly followings: Following[] = [];
  readonly chunks: Chunk[] = [];
  readonly counts = { streams: 0, cuts: 0, repeats: 0, expiredWatches: 0, expiredLists: 0 };
  readonly #subject: Availability;
  readonly #connection: Connection;
  readonly #progress: Progress;
  readonly #random: (limit: number) => number;
  readonly #streams: boolean;
  #following: Following | undefined;
  #response: OpenResponse | undefined;
  #held: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: InformerOptions) {
    this.name = options.name;
    this.selection = options.selection;
    this.#subject = options.subject;
    this.#connection = options.connection;
    this.#progress = options.progress;
    this.#random = options.random;
    this.#streams = options.streams;
  }

  /** The current following, if there is one. */
  get following(): Following | undefined {
    return this.#following;
  }

  /** Runs until it is stopped. Rejects when the server violates a guarantee. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#held;
        await this.#turn();
      } catch (error) {
        if (this.#stopped) return;
        if (error instanceof Violation) throw new Violation(`${this.name}: ${error.message}`, { cause: error });
        if (!this.#subject.mayRestart) throw error;
        await this.#subject.available();
      }
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#response?.cut();
  }

  /** Pauses requests until the promise resolves. */
  hold(until: Promise<void>): void {
    this.#held = until;
    this.#response?.cut();
  }

  async #turn(): Promise<void> {
    const following = this.#following;
    if (following === undefined) {
      if (this.#streams) await this.#begin();
      else await this.#list();
      return;
    }
    const choice = this.#progress.calm ? 100 : this.#random(100);
    // The client sometimes starts over without a reason.
    if (choice < 15) this.#following = undefined;
    else if (choice < 25) await this.#lookBack(following);
    else await this.#follow(following, choice < 50);
  }

  /** Reads the initial state with a list. */
  async #list(): Promise<void> {
    const versions = this.followings.at(-1)?.versions ?? [];
    const known = versions[this.#random(Math.max(1, versions.length))];
    const choice = this.#random(4);
    let version: ListPlan['version'] = { match: choice < 2 ? 'newest' : 'any' };
    if (choice === 3 && known !== undefined) version = { match: 'notOlderThan', version: known };
    const { chunks, expired } = await this.#listed(version);
    const first = chunks[0];
    if (expired || first === undefined) return;
    this.#start(
      first.version,
      chunks.flatMap(({ items }) => items),
    );
  }

  /** Lists an earlier state that this client has seen. */
  async #lookBack({ versions }: Following): Promise<void> {
    await this.#listed({ match: 'exact', version: versions[this.#random(versions.length)]! });
  }

  async #listed(version: ListPlan['version']) {
    const plan: ListPlan = {
      version,
      limit: this.#random(3) === 0 ? 0 : 1 + this.#random(7),
      inconsistent: this.#random(2) === 0,
      rest: () => (this.#random(4) === 0 ? this.#progress.pass(1 + this.#random(3)) : Promise.resolve()),
    };
    const { selection } = this;
    const listing = await list({ connection: this.#connection, progress: this.#progress, selection }, plan);
    if (listing.expired) this.#expired('expiredLists');
    this.chunks.push(...listing.chunks);
    return listing;
  }

  #start(version: number, initial: readonly ApiObject[]): Following {
    this.#following = new Following(version, initial);
    this.followings.push(this.#following);
    return this.#following;
  }

  /** Reads the initial state with a watch, and then the events in the same stream. */
  async #begin(): Promise<void> {
    const { query, atLeast } = this.#beginning();
    const initial: ApiObject[] = [];
    let stream: FollowingStream | undefined;
    await this.#watch({ allowWatchBookmarks: 'true', ...query }, (event) => {
      if (stream !== undefined) return stream.take(event);
      if (event.type === 'ADDED') return void initial.push(event.object);
      if (event.object.metadata.annotations?.['k8s.io/initial-events-end'] !== 'true') {
        throw new Violation(`${event.type} came before the end of the initial state`);
      }
      const version = versionOf(event.object);
      if (version < atLeast) throw new Violation(`the initial state of ${version} did not know ${atLeast}`);
      stream = this.#start(version, initial).resume(version);
    });
  }

  /** Returns a query for the initial state, and the lowest version that it may have. */
  #beginning(): { query: Record<string, string>; atLeast: number } {
    const newest = this.#progress.acknowledged;
    const known = this.followings.at(-1)?.promised ?? 0;
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' };
    const choice = this.#random(8);
    if (choice === 0) return { query: { ...query, resourceVersion: '0' }, atLeast: 0 };
    if (choice === 1) return { query: { ...query, resourceVersion: String(known) }, atLeast: known };
    // Clients used such a query before there were options for it.
    if (choice === 2) return { query: {}, atLeast: newest };
    return { query, atLeast: newest };
  }

  async #follow(following: Following, repeat: boolean): Promise<void> {
    const { versions } = following;
    const after = repeat ? versions[this.#random(versions.length)]! : following.promised;
    if (after < following.promised) this.counts.repeats++;
    const stream = following.resume(after);
    const bookmarks = this.#random(3) > 0 ? { allowWatchBookmarks: 'true' } : undefined;
    await this.#watch({ resourceVersion: String(after), ...bookmarks }, (event) => stream.take(event));
  }

  async #watch(query: Record<string, string>, take: (event: WatchEvent) => void): Promise<void> {
    const calm = this.#progress.calm;
    const timeout = !calm && this.#random(6) === 0 ? { timeoutSeconds: String(1 + this.#random(3)) } : undefined;
    const response = await this.#connection.get(urlOf(this.selection, { watch: 'true', ...query, ...timeout }));
    if (this.#stopped) return response.cut();
    this.#response = response;
    if (response.status === 410) {
      response.cut();
      return this.#expired('expiredWatches');
    }
    if (response.status !== 200) throw refusal('a watch', response.status, await textOf(response));
    this.counts.streams++;
    // Streams with few events must end as well.
    if (!calm && this.#random(4) > 0) void this.#progress.pass(1 + this.#random(120)).then(() => response.cut());
    const events = readEvents(response, this.#plan(), this.#progress);
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        if (value === 'cut') this.counts.cuts++;
        return;
      }
      if (value.type === 'ERROR') return this.#failed(value.object as unknown as { code?: number; message?: string });
      take(value);
    }
  }

  #failed({ code, message }: { code?: number; message?: string }): void {
    this.#response?.cut();
    if (code !== 410) throw refusal('a watch', code, message);
    this.#expired('expiredWatches');
  }

  #expired(what: 'expiredWatches' | 'expiredLists'): void {
    if (!this.#subject.versionsExpire) throw new Violation('a version has expired that must not');
    this.counts[what]++;
    this.#following = undefined;
  }

  #plan(): StreamPlan {
    if (this.#progress.calm) return { cutAfter: undefined, rest: undefined };
    // There are as many short streams as long ones, so that every kind of frame is cut.
    const cutAfter = this.#random(4) > 0 ? 1 + this.#random(2 ** (5 + this.#random(13))) : undefined;
    const rest = { after: this.#random(5_000), writes: 10 + this.#random(150) };
    return { cutAfter, rest: this.#random(4) === 0 ? rest : undefined };
  }
}
