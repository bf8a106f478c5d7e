import { type Connection, http1Connection, http2Connection, textOf } from '../exactness/connection.ts';
import { Informer } from '../exactness/informer.ts';
import { Progress } from '../exactness/progress.ts';
import { Recorder } from '../exactness/recorder.ts';
import { wholeNamespace, wholeType } from '../exactness/selection.ts';
import { compareWithLists, settle } from '../exactness/settle.ts';
import { whileRunning } from '../exactness/while-running.ts';
import { createRandom } from '../faults/random.ts';
import { checkCachedReads } from './check-cached-reads.ts';
import { checkLinearizable } from './check-linearizable.ts';
import { checkVersions } from './check-versions.ts';
import { checkWrites } from './check-writes.ts';
import { namePrefix, ObjectClient, type Records } from './object-client.ts';
import { objectModel } from './object-model.ts';
import { roam } from './roaming-connection.ts';
import type { ServersUnderTest } from './servers-under-test.ts';
import { Worker } from './worker.ts';

export interface HistoryOptions {
  readonly seed: number;
  readonly subject: ServersUnderTest;
  readonly workers: number;
  /** The number of operations of each worker. */
  readonly operations: number;
  readonly informers: number;
  /** Called while the workers run. The progress is calm when all of them have finished. */
  readonly during?: (progress: Progress) => Promise<void>;
}

export interface HistoryCounts {
  readonly operations: number;
  readonly lost: number;
  readonly cachedReads: number;
  readonly changes: number;
}

const type = 'configmaps';
const namespaces = ['linear-0', 'linear-1'];
const objects = 3;
/** The value that is written when all workers have finished. */
export const lastValue = 'the last';

/** Runs clients against servers and checks everything that they received. Error messages contain the seed. */
export async function runHistory(options: HistoryOptions): Promise<HistoryCounts> {
  const { seed, subject } = options;
  const random = createRandom(seed * 1000 + 900);
  const connectRoaming = (): Connection =>
    roam(subject.endpoints.map(random(2) === 0 ? http1Connection : http2Connection), random);
  const admin = connectRoaming();
  for (const name of namespaces) await createNamespace(admin, name);
  const recorder = await Recorder.start({ type, subject, connection: connectRoaming() });
  const progress = new Progress();
  const connections = [admin];
  const informers = Array.from({ length: options.informers }, (_, index) => {
    const own = createRandom(seed * 1000 + index);
    const namespace = namespaces[index % (namespaces.length + 1)];
    const selection = namespace === undefined ? wholeType(type) : wholeNamespace(type, namespace);
    const connection = connectRoaming();
    connections.push(connection);
    const streams = own(2) === 0;
    const name = `informer ${index} of ${selection.path} by ${streams ? 'stream' : 'list'}`;
    return new Informer({ name, subject, connection, selection, progress, random: own, streams });
  });
  const run: HistoryRun = { options, progress, recorder, informers, connection: admin };
  try {
    let counts: HistoryCounts | undefined;
    await whileRunning({ clients: [recorder, ...informers], progress, connections }, async () => {
      counts = await work(run);
    });
    return counts!;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  }
}

interface HistoryRun {
  readonly options: HistoryOptions;
  readonly progress: Progress;
  readonly recorder: Recorder;
  readonly informers: readonly Informer[];
  readonly connection: Connection;
}

async function work({ options, progress, recorder, informers, connection }: HistoryRun): Promise<HistoryCounts> {
  const { seed, subject, operations, during } = options;
  const records: Records = { operations: [], cachedReads: [] };
  const lastSeen = new Map();
  const workers = Array.from({ length: options.workers }, (_, index) => {
    const random = createRandom(seed * 1000 + 500 + index);
    return new Worker({ name: `w${index}`, subject, records, random, namespaces, objects, lastSeen, progress });
  });
  const load = Promise.all(workers.map((worker) => worker.run(operations)));
  // Clients that wait for further writes must continue when there are none.
  await Promise.all([load.finally(() => progress.calmDown()), during?.(progress)]);
  const last = await finish({ subject, records });
  const { history } = recorder;
  await settle({ informers, histories: new Map([[type, history]]), last: new Map([[type, last]]) });
  for (const informer of informers) {
    await compareWithLists(informer, { history, connection, progress, limits: [0] });
  }
  checkVersions(records.operations);
  const known = checkWrites(history, records.operations, namespaces);
  checkLinearizable({ model: objectModel, operations: known, partitionOf: ({ namespace }) => namespace });
  checkCachedReads(records.cachedReads, history);
  return {
    operations: records.operations.length,
    lost: records.operations.filter(({ output }) => output === undefined).length,
    cachedReads: records.cachedReads.length,
    changes: history.changes.length,
  };
}

/** Makes a last write and reads the state from every server. Returns the version of the write. */
async function finish({ subject, records }: { subject: ServersUnderTest; records: Records }): Promise<number> {
  const client = new ObjectClient({ name: 'last', subject, records, random: createRandom(1) });
  const data = { value: lastValue };
  let version: number | undefined;
  while (version === undefined) {
    const output = await client.perform({ verb: 'update', namespace: namespaces[0]!, name: `${namePrefix}0`, data });
    if (output?.kind === 'object') version = output.object.version;
  }
  for (const server of subject.endpoints.keys()) {
    for (const namespace of namespaces) {
      while ((await client.perform({ verb: 'list', namespace }, server)) === undefined);
    }
  }
  client.close();
  return version;
}

async function createNamespace(connection: Connection, name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name } });
  const response = await connection.send('/api/v1/namespaces', {
    method: 'POST',
    body,
    contentType: 'application/json',
  });
  const text = await textOf(response);
  if (response.status >= 400) throw new Error(`namespace ${name}: ${text}`);
}
