import { resolve } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { StorageError } from '../storage.ts';
import { unpackBatch } from './batch-slab.ts';
import { CompactionSteps } from './compaction-steps.ts';
import { type OpenDatabase, openDatabase } from './database.ts';
import { toFailure } from './failure.ts';
import { FillSteps } from './fill-steps.ts';
import type { CommitReply, OpenReply, OpenRequest, Operations, ReplyMessage, RequestMessage } from './protocol.ts';
import { Store } from './store.ts';
import { StoreFiles } from './store-files.ts';

// The worker thread that owns the database. It handles requests one at a time; the main thread does all scheduling.

interface OpenStore {
  readonly database: OpenDatabase;
  readonly store: Store;
  readonly compaction: CompactionSteps;
  readonly files: StoreFiles;
  readonly fill: FillSteps;
}

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
  if (message.operation === 'close') port.close();
});

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
      return compaction.vacuum(message.request);
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
  if (failing) compaction.rewrite();
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
    const reply = reopened({ database, fill, files });
    if (filling === undefined) return reply;
    return { ...reply, filling: { revision: fill.unfinished()!, after: fill.lastKey() } };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads the state of the database, which a filling has changed. */
function reopened({ database, fill, files }: Pick<OpenStore, 'database' | 'fill' | 'files'>): OpenReply {
  const compaction = new CompactionSteps(database.database);
  const compacted = compaction.compacted();
  const store = new Store(database.database, compacted);
  opened = { database, store, compaction, files, fill };
  return { revision: store.revision, compacted, sweepPending: compaction.pending() };
}

function close(): undefined {
  opened?.database.close();
  opened = undefined;
}

/** Packed versions are transferred rather than copied. */
function transferable(reply: unknown): ArrayBuffer[] {
  if (typeof reply !== 'object' || reply === null) return [];
  return Object.values(reply).filter((value) => value instanceof ArrayBuffer);
}
