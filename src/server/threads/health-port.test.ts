import { createServer } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openHealthPort } from './health-port.ts';

/** The health checks of a server, which may be too busy to respond. */
class Checks {
  readonly requested: string[] = [];
  status = 200;
  isBusy = false;

  readonly fetch = async ({ path }: { readonly path: string }) => {
    this.requested.push(path);
    if (this.isBusy) await new Promise(() => {});
    return { status: this.status, headers: {}, body: bytesOf(`${path} ${this.status}`) };
  };
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

interface Opened {
  readonly checks: Checks;
  readonly errors: string[];
  readonly get: (path: string, method?: string) => Promise<string>;
}

async function open({ maxSilenceMs = 60_000 } = {}): Promise<Opened> {
  const checks = new Checks();
  const errors: string[] = [];
  const log = { info: () => {}, error: (message: string) => errors.push(message), flush: () => Promise.resolve() };
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { signal } = stop;
  const client = checks as unknown as Parameters<typeof openHealthPort>[0]['client'];
  const port = await openHealthPort({ host: '127.0.0.1', port: 0, client, log, maxSilenceMs, signal });
  // The thread runs each check once at its start.
  await vi.waitFor(() => expect(checks.requested).toHaveLength(3));
  const get = async (path: string, method = 'GET'): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return `${response.status} ${await response.text()}`;
  };
  return { checks, errors, get };
}

it('tells what the server says, and nothing else', async () => {
  const { checks, get } = await open();
  expect(await get('/livez')).toBe('200 /livez 200');
  checks.status = 500;
  expect(await get('/readyz?verbose')).toBe('500 /readyz?verbose 500');
  expect(await get('/readyz/etcd')).toBe('500 /readyz/etcd 500');
  expect(await get('/livezz')).toBe('404 not found\n');
  expect(await get('/api/v1/secrets')).toBe('404 not found\n');
  expect(await get('/livez', 'POST')).toBe('405 method not allowed\n');
  expect(checks.requested).not.toContain('/api/v1/secrets');
});

it('tells what a busy server has said last, as long as that may hold', async () => {
  const [patient, impatient] = [await open(), await open({ maxSilenceMs: 0 })];
  for (const { checks, get } of [patient, impatient]) {
    expect(await get('/livez')).toBe('200 /livez 200');
    checks.isBusy = true;
  }
  expect(await patient.get('/livez')).toBe('200 /livez 200');
  // There is no earlier result for this path.
  expect(await patient.get('/livez?verbose')).toContain('500 the server has not answered');
  expect(await impatient.get('/livez')).toContain('500 the server has not answered');
});

it('comes back on the same port when its thread has ended', async () => {
  const workers: Worker[] = [];
  const remember = (worker: Worker): void => void (worker.threadName === 'health' && workers.push(worker));
  process.on('worker', remember);
  onTestFinished(() => void process.off('worker', remember));
  const { errors, get } = await open();
  await workers[0]!.terminate();
  await vi.waitFor(async () => expect(await get('/livez')).toBe('200 /livez 200'));
  expect(errors).toEqual(['the thread for health checks has ended and is started again']);
});

it('rejects when its port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await vi.waitFor(() => expect(other.listening).toBe(true));
  const { port } = other.address() as { port: number };
  const log = { info: () => {}, error: () => {}, flush: () => Promise.resolve() };
  const { signal } = new AbortController();
  const opened = openHealthPort({
    host: '127.0.0.1',
    port,
    client: { fetch: async () => Promise.reject() },
    log,
    signal,
  });
  await expect(opened).rejects.toThrow(`health checks cannot be answered on port ${port}`);
});
