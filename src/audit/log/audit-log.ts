import type { Writable } from 'node:stream';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { AuditEvent, AuditSink } from '../audit-event.ts';
import { eventLine, withoutBodies } from '../event-line.ts';
import { type AuditLogOptions, type ResolvedAuditLogOptions, resolveAuditLogOptions } from './audit-log-options.ts';
import { BatchQueue } from './batch-queue.ts';
import { GroupWriter } from './group-writer.ts';
import type { LineFile } from './line-file.ts';
import { LossReport } from './loss-report.ts';
import { RotatingFile } from './rotating-file.ts';

/**
 * Opens the log. The lines go to the file of the options, unless another one is given. Rejects with a RangeError for
 * invalid options, and when the path is not writable.
 */
export async function openAuditLog(options: AuditLogOptions, file?: LineFile): Promise<AuditLog> {
  const resolved = resolveAuditLogOptions(options);
  return new AuditLog(file ?? (await openFile(resolved)), resolved);
}

async function openFile(options: ResolvedAuditLogOptions): Promise<LineFile> {
  const { path, stdout, maxSize, maxAge, maxBackup, compress, onFault } = options;
  if (path === '-') return new LineStream(stdout);
  const rotation = { maxSizeMegabytes: maxSize, maxAgeDays: maxAge, maxBackups: maxBackup, compress, onFault };
  try {
    return await RotatingFile.open({ path, ...rotation });
  } catch (error) {
    throw new Error(`opening the audit log: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes events as lines of a file. Lost events are counted and reported. */
export class AuditLog implements AuditSink {
  readonly #file: LineFile;
  readonly #options: ResolvedAuditLogOptions;
  readonly #losses: LossReport;
  /** Exactly one of the two is set, depending on the mode. */
  readonly #queue: BatchQueue | undefined;
  readonly #writer: GroupWriter;
  #closed: Promise<void> | undefined = undefined;

  constructor(file: LineFile, options: ResolvedAuditLogOptions) {
    this.#file = file;
    this.#options = options;
    this.#losses = new LossReport(options.onFault);
    this.#writer = new GroupWriter(file);
    this.#queue = options.mode === 'batch' ? this.#batchQueue() : undefined;
  }

  /** Number of events lost since the start. */
  get lost(): number {
    return this.#losses.count;
  }

  write(event: AuditEvent): MaybePromise<boolean> {
    const line = this.#line(event);
    if (line === undefined) return true;
    if (this.#closed !== undefined) {
      this.#losses.add(new Error('the audit log is closed'), 1);
      return true;
    }
    if (this.#queue === undefined) return this.#writeAndWait(line);
    if (!this.#queue.offer(line)) this.#losses.add(new Error('audit buffer queue blocked'), 1);
    return true;
  }

  /** Writes lines that another thread has formatted. Resolves with the error, if any. */
  writeLines(lines: readonly Buffer[]): Promise<Error | undefined> {
    return this.#writer.write(...lines);
  }

  /** Writes all pending events and closes the file. Later events are lost. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#queue?.close();
    await this.#writer.flush();
    await this.#file.close();
    this.#losses.close();
  }

  async #writeAndWait(line: Buffer): Promise<boolean> {
    const error = await this.#writer.write(line);
    if (error !== undefined) this.#losses.add(error, 1);
    return error === undefined || this.#options.mode !== 'blocking-strict';
  }

  /** Returns undefined for an event that is too large even without bodies. */
  #line(event: AuditEvent): Buffer | undefined {
    const { format, truncateEnabled, truncateMaxEventSize } = this.#options;
    const line = eventLine(event, format);
    if (!truncateEnabled || line.length <= truncateMaxEventSize) return line;
    const hasBodies = event.level === 'Request' || event.level === 'RequestResponse';
    const shorter = hasBodies ? eventLine(withoutBodies(event), format) : line;
    if (shorter.length <= truncateMaxEventSize) return shorter;
    this.#losses.add(new Error('event is too large even after truncating'), 1);
    return undefined;
  }

  /** The file for batches, which must not overlap with the lines of other threads. */
  get #inOrder(): Pick<LineFile, 'write'> {
    return {
      write: async (lines) => {
        const error = await this.#writer.write(...lines);
        if (error !== undefined) throw error;
      },
    };
  }

  #batchQueue(): BatchQueue {
    const options = this.#options;
    return new BatchQueue(this.#inOrder, {
      bufferSize: options.batchBufferSize,
      maxSize: options.batchMaxSize,
      maxWaitMs: options.batchMaxWaitMs,
      maxBytes: options.truncateMaxBatchSize,
      throttle: options.batchThrottleEnable
        ? { qps: options.batchThrottleQps, burst: options.batchThrottleBurst }
        : undefined,
      onLost: (error, count) => this.#losses.add(error, count),
    });
  }
}

/** Writes lines to a stream that it does not own and never closes. */
class LineStream implements LineFile {
  readonly #stream: Writable;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(lines: readonly Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(Buffer.concat(lines), (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
