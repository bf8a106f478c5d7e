import { createRandom } from '../faults/random.ts';
import { checkChunk } from './check-informer.ts';
import { type Connection, http1Connection, http2Connection } from './connection.ts';
import type { History } from './history.ts';
import { Informer } from './informer.ts';
import { Journal } from './journal.ts';
import type { Chunk } from './listing.ts';
import { Progress } from './progress.ts';
import { Recorder } from './recorder.ts';
import { namespaces, type ResourceType, selectionOf, urlOf } from './selection.ts';
import { compareWithLists, settle } from './settle.ts';
import type { TestedServer } from './tested-server.ts';
import { whileRunning } from './while-running.ts';
import { Writer } from './writer.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly subject: TestedServer;
  readonly rounds: number;
  /** The number of operations of each writer in each round. */
  readonly operations: number;
  readonly writers: number;
  readonly informers: number;
  /** Called while the writers of a round run. */
  readonly during?: (state: ScenarioState) => Promise<void>;
  /** Called after a round, when no writer runs. */
  readonly after?: (state: ScenarioState) => Promise<void>;
}

/** The parts of a scenario, for the callbacks. */
export interface ScenarioState {
  readonly round: number;
  readonly subject: TestedServer;
  readonly progress: Progress;
  readonly informers: readonly Informer[];
  /** Chunks that are checked at the end, when the history is complete. */
  readonly chunks: Chunk[];
  /** A writer that only writes when a callback uses it. */
  readonly writer: Writer;
  readonly random: (limit: number) => number;
}

export type Counts = Informer['counts'] & { readonly changes: number };

/**
 * Runs writers and clients against a server, waits until the clients have received everything, and compares. Returns
 * statistics.
 */
export async function runScenario(options: ScenarioOptions): Promise<Counts> {
  const { seed, subject } = options;
  for (const name of namespaces) await subject.api.post('/api/v1/namespaces', { metadata: { name } });
  const recorders = await Promise.all(
    (['configmaps', 'pods'] as const).map((type) =>
      Recorder.start({ type, subject, connection: http1Connection(subject.api) }),
    ),
  );
  const histories = new Map(recorders.map(({ type, history }) => [type, history]));
  const progress = new Progress();
  const journal = new Journal();
  const connections: Connection[] = [];
  const informers = makeInformers(options, { progress, connections });
  const clients = [...recorders, ...informers];
  const state = { options, progress, journal, informers, histories, connection: connections[0]! };
  try {
    await whileRunning({ clients, progress, connections }, () => runRounds(state));
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
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
  // Some clients share a connection, others have their own.
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
  const last = new Map<ResourceType, number>();
  for (const type of histories.keys()) last.set(type, await writer.mark(type, 'last'));
  await settle({ informers, histories, last });
  journal.check(histories);
  for (const chunk of chunks) checkChunk(chunk, histories.get(chunk.selection.type)!, 'a list apart');
  for (const informer of informers) {
    const limits = [0, 1 + random(4)];
    await compareWithLists(informer, {
      history: histories.get(informer.selection.type)!,
      connection,
      progress,
      limits,
    });
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
