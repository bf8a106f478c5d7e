import { createRandom } from '../faults/random.ts';
import type { ApiObject } from './api-object.ts';
import { checkChunk, checkInformer, compareObjects } from './check-informer.ts';
import { type Connection, http1Connection, http2Connection } from './connection.ts';
import type { History } from './history.ts';
import { Informer } from './informer.ts';
import { Journal } from './journal.ts';
import { type Chunk, type Lister, list } from './listing.ts';
import { Progress } from './progress.ts';
import { Recorder } from './recorder.ts';
import { namespaces, type ResourceType, selectionOf, urlOf } from './selection.ts';
import type { TestedServer } from './tested-server.ts';
import { Writer } from './writer.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly subject: TestedServer;
  readonly rounds: number;
  /** Of each writer, in each round. */
  readonly operations: number;
  readonly writers: number;
  readonly informers: number;
  /** Happens while a round is written. */
  readonly during?: (state: ScenarioState) => Promise<void>;
  /** Happens after a round, when nobody writes. */
  readonly after?: (state: ScenarioState) => Promise<void>;
}

/** What a scenario consists of, for those who interfere with it. */
export interface ScenarioState {
  readonly round: number;
  readonly subject: TestedServer;
  readonly progress: Progress;
  readonly informers: readonly Informer[];
  /** Lists that are to be judged in the end, when all is known. */
  readonly chunks: Chunk[];
  /** Has nothing to do of its own. */
  readonly writer: Writer;
  readonly random: (limit: number) => number;
}

export type Counts = Informer['counts'] & { readonly changes: number };

const waitTimeoutMs = 60_000;

/** Lets writers and clients loose on a server, waits until all is told, and compares. What happened, in numbers. */
export async function runScenario(options: ScenarioOptions): Promise<Counts> {
  const { seed, subject } = options;
  for (const name of namespaces) await subject.api.post('/api/v1/namespaces', { metadata: { name } });
  const recorders = [await Recorder.start('configmaps', subject), await Recorder.start('pods', subject)];
  const histories = new Map(recorders.map(({ type, history }) => [type, history]));
  const progress = new Progress();
  const journal = new Journal();
  const connections: Connection[] = [];
  const informers = makeInformers(options, { progress, connections });
  const clients = [...recorders, ...informers];
  const running = clients.map((client) => client.run(progress));
  // Nobody may be waiting for these when they fail.
  const failed = new Promise<never>((_, reject) => {
    for (const run of running) run.catch(reject);
  });
  try {
    const state = { options, progress, journal, informers, histories, connection: connections[0]! };
    await Promise.race([runRounds(state), failed]);
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    progress.calmDown();
    for (const client of clients) client.stop();
    for (const connection of connections) connection.close();
    await Promise.allSettled(running);
  }
  return total(informers, histories);
}

interface InformerDependencies {
  readonly progress: Progress;
  readonly connections: Connection[];
}

function makeInformers(
  { seed, subject, informers }: ScenarioOptions,
  { progress, connections }: InformerDependencies,
): Informer[] {
  // Streams of several clients on one connection, and clients with a connection of their own.
  const shared = [http2Connection(subject.api), http2Connection(subject.api)];
  connections.push(...shared);
  return Array.from({ length: informers }, (_, index) => {
    const random = createRandom(seed * 1000 + index);
    const selection = selectionOf(index, random);
    const connection = random(2) === 0 ? http1Connection(subject.api) : shared[random(shared.length)]!;
    connections.push(connection);
    const streams = random(2) === 0;
    const name = `informer ${index} of ${urlOf(selection, {})} by ${streams ? 'stream' : 'list'}`;
    return new Informer({ name, subject, connection, selection, progress, random, streams });
  });
}

interface ScenarioRun {
  readonly options: ScenarioOptions;
  readonly progress: Progress;
  readonly journal: Journal;
  readonly informers: readonly Informer[];
  readonly histories: ReadonlyMap<ResourceType, History>;
  readonly connection: Connection;
}

async function runRounds({ options, progress, journal, informers, histories, connection }: ScenarioRun): Promise<void> {
  const { seed, subject, rounds, operations, during, after } = options;
  const writerOf = (index: number) =>
    new Writer({ subject, journal, progress, random: createRandom(seed * 1000 + 500 + index) });
  const writers = Array.from({ length: options.writers }, (_, index) => writerOf(index));
  const writer = writerOf(writers.length);
  const random = createRandom(seed * 1000 + 900);
  const chunks: Chunk[] = [];
  for (let round = 0; round < rounds; round++) {
    const state = { round, subject, progress, informers, chunks, writer, random };
    await Promise.all([...writers.map((one) => one.run(operations)), during?.(state)]);
    await after?.(state);
  }
  progress.calmDown();
  for (const [type, history] of histories) {
    const last = await writer.mark(type, 'last');
    await until(() => history.version >= last, `the recorder did not see the last of ${type}`);
  }
  await until(() => informers.every((informer) => complete(informer, histories)));
  for (const informer of informers) informer.stop();
  journal.check(histories);
  for (const chunk of chunks) checkChunk(chunk, histories.get(chunk.selection.type)!, 'a list apart');
  for (const informer of informers) {
    const history = histories.get(informer.selection.type)!;
    checkInformer(informer, history);
    // Now that nobody writes: all at once and, in another way through the server, in chunks.
    for (const limit of [0, 1 + random(4)]) {
      const items = await listed({ connection, progress, selection: informer.selection }, { limit, history });
      compareObjects(informer.followings.at(-1)!.items, items, `${informer.name}: its cache against a list`);
    }
  }
}

async function listed(lister: Lister, { limit, history }: { limit: number; history: History }): Promise<ApiObject[]> {
  const rest = async (): Promise<void> => {};
  const { chunks } = await list(lister, { version: { match: 'newest' }, limit, inconsistent: false, rest });
  for (const chunk of chunks) checkChunk(chunk, history, 'a list in the end');
  return chunks.flatMap(({ items }) => items);
}

/** Has been told as much as there is to tell. */
function complete({ following, selection }: Informer, histories: ScenarioRun['histories']): boolean {
  if (following === undefined) return false;
  const history = histories.get(selection.type)!;
  return following.seen.length >= history.events(selection, following.start, history.version).length;
}

/** Without a message it just goes on after a long time: the comparison says better what is missing. */
async function until(condition: () => boolean, otherwise?: string): Promise<void> {
  const deadline = performance.now() + waitTimeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) {
      if (otherwise === undefined) return;
      throw new Error(otherwise);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function total(informers: readonly Informer[], histories: ScenarioRun['histories']): Counts {
  const counts = { streams: 0, cuts: 0, repeats: 0, expiredWatches: 0, expiredLists: 0, changes: 0 };
  for (const { counts: own } of informers) {
    for (const name of Object.keys(own) as (keyof typeof own)[]) counts[name] += own[name];
  }
  for (const { changes } of histories.values()) counts.changes += changes.length;
  return counts;
}
