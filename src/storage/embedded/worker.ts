import { join, resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { type Change, StorageError } from '../storage.ts';
import { unpackBatch } from './batch-slab.ts';
import type { CheckpointSteps } from './checkpoint-steps.ts';
import { CompactionSteps } from './compaction-steps.ts';
import { type OpenDatabase, openDatabase, openMemoryDatabase, storeFileName } from './database.ts';
import { toFailure } from './failure.ts';
import { FillSteps } from './fill-steps.ts';
import type { NewRow } from './history-table.ts';
import { packVersions } from './packed-versions.ts';
import type {
  CommitReply,
  ConnectRequest,
  OpenReply,
  OpenRequest,
  Operation,
  Operations,
  RangeReply,
  RangeRequest,
  ReplyMessage,
  RequestMessage,
  VacuumReply,
  VacuumRequest,
} from './protocol.ts';
import { RedoLog } from './redo-log.ts';
import { SharedNumbers } from './shared-numbers.ts';
import { type Committed, Store } from './store.ts';
import { type CommitMessage, type OtherMessage, type StoreClient, StoreClients } from './store-clients.ts';
import { StoreFiles } from './store-files.ts';

// The worker thread that owns the database. It handles requests one at a time; the threads that use it do all
// scheduling. If there are several, it decides the order of their commits.

interface OpenStore {
  readonly database: Pick<OpenDatabase, 'database' | 'close'>;
  /** Undefined for a store in memory. */
  readonly log: RedoLog | undefined;
  readonly checkpoints: CheckpointSteps | undefined;
  readonly overwriteDeleted: boolean;
  readonly store: Store;
  readonly compaction: CompactionSteps;
  /** Undefined for a store in memory. */
  readonly files: StoreFiles | undefined;
  readonly fill: FillSteps;
}

/** A batch takes more room in the database than in the log: whole pages, in SQLite's log and in the file. */
const spaceFactor = 8;

const port = parentPort;
if (!port) throw new Error('the storage worker runs as a worker thread');

const owner: StoreClient = { port, memory: new SharedArrayBuffer(0) };
let opened: OpenStore | undefined;
/** Undefined if only the thread that has started the worker uses the store. */
let clients: StoreClients | undefined;
/** The path of the database, for messages. */
let databaseFile = ':memory:';
/** Whether a commit has failed, and nothing has been synced since. */
let failing = false;

port.on('message', (message: RequestMessage) => receive(owner, message));

function receive(client: StoreClient, message: RequestMessage): void {
  if (message.operation === 'commit') commitTogether({ client, message });
  else respond(client, message);
}

/** Commits of threads that wait at the same time are made durable together. */
function commitTogether(first: CommitMessage): void {
  const { earlier, commits } = clients?.gather(first) ?? { earlier: [], commits: [first] };
  for (const { client, message } of earlier) respond(client, message);
  const outcomes = attemptCommits(commits);
  commits.forEach(({ client, message }, index) => {
    reply(client, { id: message.id, ...outcomes[index] });
  });
  applyCommit();
}

function respond(client: StoreClient, message: OtherMessage): void {
  const outcome = attempt(() => handle(message));
  reply(client, { id: message.id, ...outcome });
  if (message.operation === 'close') {
    clients?.close();
    port?.close();
  }
}

function reply(client: StoreClient, message: ReplyMessage): void {
  client.port.postMessage(message, transferable(message.reply));
}

/** Runs after the reply. If it fails, it is retried before every later operation, which then reports the failure. */
function applyCommit(): void {
  try {
    opened?.store.apply();
  } catch {
    failing = true;
  }
}

function attempt(action: () => ReplyMessage['reply']): Omit<ReplyMessage, 'id'> {
  try {
    return { reply: action() };
  } catch (error) {
    return { failure: toFailure(error, databaseFile) };
  }
}

function handle(message: OtherMessage): Operations[Operation]['reply'] {
  if (message.operation === 'open') return open(message.request);
  if (message.operation === 'close') return close();
  const { store, compaction } = storeToUse();
  switch (message.operation) {
    case 'connect':
      return connect(message.request);
    case 'get':
      return store.get(message.request);
    case 'range':
      return range(store, message.request);
    case 'count':
      return store.count(message.request);
    case 'replay':
      return store.replay(message.request);
    case 'compact':
      compaction.mark(message.request.revision);
      if (clients !== undefined) clients.numbers.compacted = compaction.compacted();
      return undefined;
    case 'sweep':
      return compaction.sweep();
    case 'vacuum':
      return vacuum(storeToUse(), message.request);
    case 'fill':
      storeToUse().fill.add(message.request.entries);
      return undefined;
    case 'filled':
      storeToUse().fill.finish();
      return reopened(storeToUse());
    case 'probe':
      compaction.compacted();
      if (message.request.writes) probeWrites(storeToUse());
      return undefined;
  }
}

function range(store: Store, request: RangeRequest): RangeReply {
  const { keep } = request;
  if (clients === undefined || keep === undefined) return store.range(request);
  const { versions, ...chunk } = store.read(request);
  const isLatest = chunk.revision === store.revision;
  const isCurrent = (key: string, revision: number): boolean => isLatest || store.isCurrent(key, revision);
  return { ...chunk, ...clients.keep(keep, chunk.keys, { versions, isCurrent }) };
}

function vacuum(opened: OpenStore, request: VacuumRequest): VacuumReply {
  const { compaction, checkpoints, log, overwriteDeleted } = opened;
  checkpoints?.interrupt();
  const reply = compaction.vacuum(request);
  if (reply.done && overwriteDeleted) log?.erase();
  return reply;
}

function storeToUse(): OpenStore {
  if (!opened) throw new Error('the database is not open');
  opened.store.apply();
  return opened;
}

/** Returns the outcome of each commit. All of them are durable, or none. */
function attemptCommits(commits: readonly CommitMessage[]): Omit<ReplyMessage, 'id'>[] {
  const changes = commits.map(({ client, message: { request } }) => {
    client.memory = request.slab ?? client.memory;
    return unpackBatch(client.memory, request.count);
  });
  const all = changes.flat();
  let committed: Committed;
  try {
    committed = commit(storeToUse(), all);
  } catch (error) {
    const failure = toFailure(error, databaseFile);
    return commits.map(() => ({ failure }));
  }
  // A failure ends the worker: threads that miss events must not continue.
  clients?.publish(all, committed);
  let from = 0;
  return changes.map(({ length }) => {
    const revisions = committed.revisions.slice(from, from + length);
    const found = committed.found.slice(from, from + length);
    from += length;
    return { reply: commitReply({ revision: committed.revision, revisions, found }) };
  });
}

function commit({ store, files }: OpenStore, changes: readonly Change[]): Committed {
  try {
    files?.check();
    clients?.checkRoom();
    const before = store.revision;
    const committed = store.commit(changes);
    files?.confirm();
    // Nothing is synced if no change was made.
    if (committed.revision > before) failing = false;
    return committed;
  } catch (error) {
    failing = true;
    throw error;
  }
}

function commitReply({ revision, revisions, found }: Committed): CommitReply {
  const reported =
    clients === undefined ? found : found.map((version, index) => (revisions[index] ? undefined : version));
  const isAnyReported = reported.some((version) => version !== undefined);
  return { revision, revisions, found: isAnyReported ? packVersions(reported) : undefined };
}

function connect({ port, slot }: ConnectRequest): OpenReply {
  if (clients === undefined) throw new Error('the store is not shared');
  clients.add({ port, slot }, receive);
  const { store, compaction } = storeToUse();
  return { revision: store.revision, compacted: compaction.compacted(), sweepPending: false };
}

/** Writes and syncs like a commit: in the redo log, or if that cannot be used, in the database. */
function probeWrites({ store, log, compaction, files }: OpenStore): void {
  files?.check();
  files?.checkSpace();
  try {
    if (failing || !log?.probe()) store.durably(() => compaction.writeProbe());
    failing = false;
  } catch (error) {
    failing = true;
    throw error;
  }
}

function open(request: OpenRequest): OpenReply {
  const { shared, directory } = request;
  const reply = directory === undefined ? openInMemory() : openDirectory({ ...request, directory });
  if (shared === undefined) return reply;
  clients = new StoreClients(new SharedNumbers(shared));
  clients.numbers.revision = reply.revision;
  clients.numbers.compacted = reply.compacted;
  return reply;
}

function openInMemory(): OpenReply {
  const database = openMemoryDatabase();
  const fill = new FillSteps(database.database);
  return reopened({
    database,
    fill,
    files: undefined,
    log: undefined,
    checkpoints: undefined,
    overwriteDeleted: false,
  });
}

function openDirectory({ directory, filling, ...options }: OpenRequest & { readonly directory: string }): OpenReply {
  databaseFile = join(resolve(directory), storeFileName);
  const database = openDatabase(directory, options);
  try {
    const fill = new FillSteps(database.database);
    if (filling !== undefined) fill.begin(filling);
    else if (fill.unfinished() !== undefined) {
      throw new StorageError('Corrupt', `an import into ${directory} has not been finished: run it again`);
    }
    const files = new StoreFiles(resolve(directory));
    const { checkpoints } = database;
    const log = new RedoLog({
      path: database.redoLogPath,
      databaseHasRoom: (bytes) => database.hasRoom(bytes) && files.hasSpace(bytes * spaceFactor),
      syncDatabase: () => checkpoints.syncLog(),
    });
    const { overwriteDeleted } = options;
    const reply = reopened({ database, fill, files, log, checkpoints, overwriteDeleted });
    if (filling === undefined) return reply;
    return { ...reply, filling: { revision: fill.unfinished()!, after: fill.lastKey() } };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads the state of the database, which a filling has changed. */
function reopened(dependencies: Omit<OpenStore, 'compaction' | 'store'>): OpenReply {
  const { database, log, checkpoints } = dependencies;
  const compaction = new CompactionSteps(database.database);
  const compacted = compaction.compacted();
  const onApplied = checkpoints && ((rows: readonly NewRow[]) => checkpoints.committed(rows));
  const store = new Store(database.database, { compacted, log, onApplied });
  opened = { ...dependencies, store, compaction };
  return { revision: store.revision, compacted, sweepPending: compaction.pending() };
}

function close(): undefined {
  if (!opened) return;
  applyCommit();
  const { database, store, log, compaction } = opened;
  opened = undefined;
  if (store.applied) recordLatest(compaction, store.revision);
  // Durable, because closing moves everything from SQLite's log into the database.
  database.close();
  log?.close({ keep: !store.applied });
}

/** Shows at the next open whether the end of the history is missing. That is no reason not to close. */
function recordLatest(compaction: CompactionSteps, revision: number): void {
  try {
    compaction.reached(revision);
  } catch {
    // A full disk, for example.
  }
}

/** Packed versions are transferred rather than copied. */
function transferable(reply: unknown): ArrayBuffer[] {
  if (typeof reply !== 'object' || reply === null) return [];
  return Object.values(reply).filter((value) => value instanceof ArrayBuffer);
}
