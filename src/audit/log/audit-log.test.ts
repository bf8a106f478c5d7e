import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AuditEvent } from '../audit-event.ts';
import { AuditLog, openAuditLog } from './audit-log.ts';
import { type AuditLogOptions, resolveAuditLogOptions } from './audit-log-options.ts';
import type { LineFile } from './line-file.ts';

const event = (auditID: string, rest: Partial<AuditEvent> = {}): AuditEvent => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'RequestResponse',
  auditID,
  stage: 'ResponseComplete',
  requestURI: '/x',
  verb: 'get',
  user: {},
  requestReceivedTimestamp: 't',
  stageTimestamp: 't',
  ...rest,
});

/** Writes only when the test lets it. */
class SlowFile implements LineFile {
  readonly writes: string[][] = [];
  isClosed = false;
  error: Error | undefined;
  #gate: PromiseWithResolvers<void> | undefined;

  hold(): void {
    this.#gate = Promise.withResolvers();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  async write(lines: readonly Buffer[]): Promise<void> {
    this.writes.push(lines.map((line) => JSON.parse(line.toString()).auditID));
    await this.#gate?.promise;
    if (this.error !== undefined) throw this.error;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function logOf(options: Partial<AuditLogOptions> = {}) {
  const file = new SlowFile();
  const faults: string[] = [];
  const onFault = (error: Error): void => void faults.push(error.message);
  return { file, faults, log: new AuditLog(file, resolveAuditLogOptions({ path: '-', onFault, ...options })) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

afterEach(() => void vi.useRealTimers());

describe('AuditLog in blocking mode', () => {
  it('waits for writes and combines events that arrive meanwhile', async () => {
    const { file, log } = logOf();
    file.hold();
    const first = log.write(event('1'));
    await turn();
    const others = [log.write(event('2')), log.write(event('3'))];
    let isDone = false;
    void Promise.resolve(first).then(() => {
      isDone = true;
    });
    await turn();
    expect(isDone).toBe(false);
    file.release();
    expect(await Promise.all([first, ...others])).toEqual([true, true, true]);
    expect(file.writes).toEqual([['1'], ['2', '3']]);
  });

  it.each([
    ['blocking', true],
    ['blocking-strict', false],
  ] as const)('after an error: %s', async (mode, continues) => {
    const { file, log, faults } = logOf({ mode });
    file.error = new Error('the disk is full');
    expect(await log.write(event('1'))).toBe(continues);
    expect(faults).toEqual(['audit events are lost (1): the disk is full']);
    expect(log.lost).toBe(1);
    file.error = undefined;
    expect(await log.write(event('2'))).toBe(true);
    await log.close();
  });

  it('reports many losses at intervals', async () => {
    vi.useFakeTimers();
    const { file, log, faults } = logOf();
    file.error = new Error('no');
    for (let index = 0; index < 5; index++) await log.write(event('x'));
    expect(faults).toEqual(['audit events are lost (1): no']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(faults.slice(1)).toEqual(['audit events are lost (4): no']);
    await log.write(event('x'));
    await log.close();
    expect(faults.slice(2)).toEqual(['audit events are lost (1): no']);
    expect(log.lost).toBe(6);
  });

  it('writes all events before it closes', async () => {
    const { file, log, faults } = logOf();
    file.hold();
    void log.write(event('1'));
    await turn();
    void log.write(event('2'));
    const closed = log.close();
    file.release();
    await Promise.all([closed, log.close()]);
    expect(file.writes).toEqual([['1'], ['2']]);
    expect(file.isClosed).toBe(true);
    expect(await log.write(event('3'))).toBe(true);
    expect(faults).toEqual(['audit events are lost (1): the audit log is closed']);
  });
});

describe('AuditLog in batch mode', () => {
  const batch = { mode: 'batch' } as const;

  it('does not wait for writes', async () => {
    const { file, log } = logOf(batch);
    file.hold();
    expect(log.write(event('1'))).toBe(true);
    expect(log.write(event('2'))).toBe(true);
    await turn();
    expect(file.writes).toEqual([['1', '2']]);
    file.release();
    await log.close();
  });

  it('drops events when the buffer is full, and reports it', async () => {
    const { file, log, faults } = logOf({ ...batch, batchBufferSize: 2 });
    file.hold();
    log.write(event('1'));
    await turn();
    for (const id of ['2', '3', '4', '5']) expect(log.write(event(id))).toBe(true);
    expect(log.lost).toBe(2);
    expect(faults).toEqual(['audit events are lost (1): audit buffer queue blocked']);
    file.release();
    await log.close();
    expect(file.writes.flat()).toEqual(['1', '2', '3']);
    expect(faults).toHaveLength(2);
  });

  it('is bounded in bytes', () => {
    const { file, log } = logOf({ ...batch, batchMaxSize: 1000, batchMaxWaitMs: 60_000 });
    const large = event('1', { userAgent: 'x'.repeat(10 * 1024 * 1024) });
    for (let index = 0; index < 8; index++) log.write(large);
    expect(log.lost).toBe(2);
    expect(file.writes).toEqual([]);
  });

  it('writes a batch by count or by age', async () => {
    vi.useFakeTimers();
    const { file, log } = logOf({ ...batch, batchMaxSize: 3, batchMaxWaitMs: 500 });
    for (const id of ['1', '2']) log.write(event(id));
    await vi.advanceTimersByTimeAsync(499);
    expect(file.writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(file.writes).toEqual([['1', '2']]);
    for (const id of ['3', '4', '5']) log.write(event(id));
    await vi.advanceTimersByTimeAsync(0);
    expect(file.writes.slice(1)).toEqual([['3', '4', '5']]);
    log.write(event('6'));
    await log.close();
    expect(file.writes.slice(2)).toEqual([['6']]);
  });

  it('is throttled, except on close', async () => {
    vi.useFakeTimers();
    const throttle = { batchThrottleEnable: true, batchThrottleQps: 2, batchThrottleBurst: 1 };
    const { file, log } = logOf({ ...batch, ...throttle });
    for (const id of ['1', '2', '3', '4']) log.write(event(id));
    await vi.advanceTimersByTimeAsync(0);
    expect(file.writes).toEqual([['1']]);
    await vi.advanceTimersByTimeAsync(499);
    expect(file.writes).toEqual([['1']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(file.writes).toEqual([['1'], ['2']]);
    await log.close();
    expect(file.writes).toEqual([['1'], ['2'], ['3'], ['4']]);
  });

  it('limits the size of one write', async () => {
    const { file, log } = logOf({
      ...batch,
      batchMaxSize: 4,
      batchMaxWaitMs: 60_000,
      truncateMaxEventSize: 300,
      truncateMaxBatchSize: 500,
    });
    for (const id of ['1', '2', '3', '4']) log.write(event(id));
    await log.close();
    expect(file.writes).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('drops a batch that cannot be written', async () => {
    const { file, log, faults } = logOf(batch);
    file.error = new Error('no');
    for (const id of ['1', '2']) log.write(event(id));
    await log.close();
    expect(log.lost).toBe(2);
    expect(faults).toEqual(['audit events are lost (2): no']);
  });
});

describe('truncation', () => {
  const options = { truncateEnabled: true, truncateMaxEventSize: 400 };
  const large = 'x'.repeat(500);
  const lines = async (given: AuditEvent, more: Partial<AuditLogOptions> = options) => {
    const stdout = new PassThrough();
    const log = await openAuditLog({ path: '-', stdout, ...more });
    expect(await log.write(given)).toBe(true);
    await log.close();
    return { text: stdout.read()?.toString() as string | undefined, lost: log.lost };
  };

  it('leaves small events alone', async () => {
    const { text } = await lines(event('1', { responseObject: { a: 1 } }));
    expect(JSON.parse(text!)).toEqual(event('1', { responseObject: { a: 1 } }));
  });

  it('drops both bodies of a large event and marks it', async () => {
    const { text } = await lines(event('1', { requestObject: {}, responseObject: { large }, annotations: { b: 'c' } }));
    expect(JSON.parse(text!)).toEqual(event('1', { annotations: { b: 'c', 'audit.k8s.io/truncated': 'true' } }));
  });

  it('drops an event that is too large without bodies', async () => {
    expect(await lines(event('1', { userAgent: large }))).toEqual({ text: undefined, lost: 1 });
    expect(await lines(event('1', { level: 'Metadata', userAgent: large }))).toEqual({ text: undefined, lost: 1 });
  });

  it('is off by default', async () => {
    const { text } = await lines(event('1', { responseObject: { large } }), { truncateMaxEventSize: 400 });
    expect(JSON.parse(text!).responseObject).toEqual({ large });
  });
});

describe('openAuditLog', () => {
  it('writes lines in order to a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'audit-'));
    try {
      const path = join(directory, 'audit.log');
      const log = await openAuditLog({ path });
      await Promise.all(Array.from({ length: 100 }, (_, index) => log.write(event(String(index)))));
      await log.close();
      const ids = (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).auditID);
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => String(index)));
      await expect(openAuditLog({ path: directory })).rejects.toThrow('opening the audit log: EISDIR');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('reports a failing stream', async () => {
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('gone')) });
    stdout.on('error', () => {});
    const log = await openAuditLog({ path: '-', stdout, mode: 'blocking-strict' });
    expect(await log.write(event('1'))).toBe(false);
    await log.close();
  });

  it.each<[Partial<Record<keyof AuditLogOptions, unknown>>, string]>([
    [{ mode: 'x' }, 'invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict"'],
    [{ format: 'x' }, 'invalid audit log format x, allowed formats are "legacy,json"'],
    [{ version: 'v2' }, 'invalid group version, allowed versions are "audit.k8s.io/v1"'],
    [{ mode: 'batch', batchBufferSize: 0 }, 'invalid audit batch log buffer size 0, must be a positive number'],
    [{ mode: 'batch', batchMaxSize: 0 }, 'invalid audit batch log max batch size 0, must be a positive number'],
    [{ mode: 'batch', batchThrottleEnable: true, batchThrottleBurst: 1 }, 'invalid audit batch log throttle QPS 0'],
    [{ mode: 'batch', batchThrottleEnable: true, batchThrottleQps: 1 }, 'invalid audit batch log throttle burst 0'],
    [{ truncateMaxEventSize: 0 }, 'invalid audit truncate log max event size 0, must be a positive number'],
    [
      { truncateMaxBatchSize: 1 },
      'invalid audit truncate log max batch size 1, must be greater than max event size (102400)',
    ],
    [{ maxAge: -1 }, "--audit-log-maxage -1 can't be a negative number"],
    [{ maxBackup: -1 }, "--audit-log-maxbackup -1 can't be a negative number"],
    [{ maxSize: -1 }, "--audit-log-maxsize -1 can't be a negative number"],
  ])('refuses %j', async (options, problem) => {
    const opened = openAuditLog({ path: '-', ...(options as Partial<AuditLogOptions>) });
    await expect(opened).rejects.toThrow(RangeError);
    await expect(opened).rejects.toThrow(problem);
  });

  it('does not validate unused options', () => {
    expect(() => resolveAuditLogOptions({ path: '-', batchBufferSize: 0 })).not.toThrow();
  });
});
