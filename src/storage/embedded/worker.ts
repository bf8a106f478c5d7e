import { resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { StorageError } from '../storage.ts';
import { unpackBatch } from './batch-slab.ts';
import { CompactionSteps } from './compaction-steps.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { toFailure } from './failure.ts';
import { FillSteps } from './fill-steps.ts';
import type {
  CommitReply,
  OpenReply,
  OpenRequest,
  Operations,
  ReplyMessage,
  RequestMessage,
  VacuumReply,
  VacuumRequest,
} from './protocol.ts';
import { RedoLog } from './redo-log.ts';
import { Store } from './store.ts';
import { StoreFiles } from './store-files.ts';

// The worker thread that owns the database. It handles requests one at a time; the main thread does all scheduling.

interface OpenStore {
  readonly database: OpenDatabase;
  readonly log: RedoLog;
  readonly overwriteDeleted: boolean;
  readonly store: Store;
  readonly compaction: CompactionSteps;
  readonly files: StoreFiles;
  readonly fill: FillSteps;
}

/** A batch takes more room in the database than in the log: whole pages, in SQLite's log and in the file. */
const spaceFactor = 8;

const port = parentPort;
if (!port) throw new Error('the storage worker runs as a worker thread');

let opened: OpenStore | undefined;
let slab = new SharedArrayBuffer(0);
/** Whether the latest commit failed. */
let failing = false;

port.on('message', (message: RequestMessage) => {
  const { reply, failure } = attempt(message);
  const outcome: ReplyMessage = { id: message.id, reply, failure };
  port.postMessage(outcome, transferable(reply));
  if (message.operation === 'commit') applyCommit();
  if (message.operation === 'close') port.close();
});

/** After the reply. If it fails, it is tried again before every later operation, which then reports the failure. */
function applyCommit(): void {
  try {
    opened?.store.apply();
  } catch {
    failing = true;
  }
}

function attempt(message: RequestMessage): Pick<ReplyMessage, 'reply' | 'failure'> {
  try {
    return { reply: handle(message) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

function handle(message: RequestMessage): Operations[RequestMessage['operation']]['reply'] {
  if (message.operation === 'open') return open(message.request);
  if (message.operation === 'close') return close();
  if (!opened) throw new Error('the database is not open');
  const { store, compaction } = opened;
  store.apply();
  switch (message.operation) {
    case 'commit':
      slab = message.request.slab ?? slab;
      return commit(opened, message.request.count);
    case 'get':
      return store.get(message.request);
    case 'range':
      return store.range(message.request);
    case 'count':
      return store.count(message.request);
    case 'replay':
      return store.replay(message.request);
    case 'compact':
      compaction.mark(message.request.revision);
      return undefined;
    case 'sweep':
      return compaction.sweep();
    case 'vacuum':
      return vacuum(opened, message.request);
    case 'fill':
      opened.fill.add(message.request.entries);
      return undefined;
    case 'filled':
      opened.fill.finish();
      return reopened(opened);
    case 'probe':
      compaction.compacted();
      if (message.request.writes) probeWrites(opened);
      return undefined;
  }
}

function vacuum({ compaction, log, overwriteDeleted }: OpenStore, request: VacuumRequest): VacuumReply {
  const reply = compaction.vacuum(request);
  if (reply.done && overwriteDeleted) log.erase();
  return reply;
}

function commit({ store, files }: OpenStore, count: number): CommitReply {
  try {
    files.check();
    const reply = store.commit(unpackBatch(slab, count));
    files.confirm();
    failing = false;
    return reply;
  } catch (error) {
    failing = true;
    throw error;
  }
}

/**
 * Writes to the database only if the latest commit failed, so that a health check of a working store costs no write.
 */
function probeWrites({ compaction, files }: OpenStore): void {
  files.check();
  files.checkSpace();
  if (failing) compaction.writeProbe();
  failing = false;
}

function open({ directory, filling, ...options }: OpenRequest): OpenReply {
  const database = openDatabase(directory, options);
  try {
    const fill = new FillSteps(database.database);
    if (filling !== undefined) fill.begin(filling);
    else if (fill.unfinished() !== undefined) {
      throw new StorageError('Corrupt', `an import into ${directory} has not been finished: run it again`);
    }
    const files = new StoreFiles(resolve(directory));
    const log = new RedoLog({
      path: database.redoLogPath,
      databaseHasRoom: (bytes) => database.hasRoom(bytes) && files.hasSpace(bytes * spaceFactor),
      syncDatabase: () => database.sync(),
    });
    const reply = reopened({ database, fill, files, log, overwriteDeleted: options.overwriteDeleted });
    if (filling === undefined) return reply;
    return { ...reply, filling: { revision: fill.unfinished()!, after: fill.lastKey() } };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads the state of the database, which a filling has changed. */
function reopened(parts: Omit<OpenStore, 'compaction' | 'store'>): OpenReply {
  const { database, log } = parts;
  const compaction = new CompactionSteps(database.database);
  const compacted = compaction.compacted();
  const store = new Store(database.database, { compacted, log });
  opened = { ...parts, store, compaction };
  return { revision: store.revision, compacted, sweepPending: compaction.pending() };
}

function close(): undefined {
  if (!opened) return;
  applyCommit();
  const { database, store, log } = opened;
  opened = undefined;
  // Durable, because closing moves everything from SQLite's log into the database.
  database.close();
  log.close({ keep: !store.applied });
}

/** Packed versions are transferred rather than copied. */
function transferable(reply: unknown): ArrayBuffer[] {
  if (typeof reply !== 'object' || reply === null) return [];
  return Object.values(reply).filter((value) => value instanceof ArrayBuffer);
}
