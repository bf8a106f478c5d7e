import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createRandom } from '../faults/random.ts';
import type { TestApi } from '../wire/api.ts';
import { type OddRequest, OddRequests } from './odd-request.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const requestsPerRound = Number(process.env.MEMORY_REQUESTS ?? 12_000);
/** Bounded caches must be full after these rounds. */
const filling = 3;
const rounds = 8;
const parallel = 16;
const perConnection = 2_000;
/** How much the highest memory may exceed that of the first rounds, in megabytes. Full caches start again now and then. */
const margin = { used: 16, resident: 48 };

interface Memory {
  readonly used: number;
  readonly resident: number;
}

async function memoryOf(server: ServeProcess): Promise<Memory> {
  const lines = (): string[] => server.stderr.match(/^memory: .*$/gm) ?? [];
  const before = lines().length;
  server.kill('SIGUSR2');
  const line = await vi.waitFor(() => {
    const found = lines()[before];
    expect(found).toBeDefined();
    return found!;
  });
  const { used, resident } = JSON.parse(line.slice('memory: '.length)) as Memory;
  return { used: used / 2 ** 20, resident: resident / 2 ** 20 };
}

/** Resolves with the status, or 0 when the connection or the request fails. */
function send(session: ClientHttp2Session, { method, path, headers, body }: OddRequest): Promise<number> {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
    let status = 0;
    stream.on('response', (head) => {
      status = head[':status'] ?? 0;
    });
    stream.on('error', () => {});
    stream.on('close', () => resolve(status));
    stream.resume();
    if (body !== undefined) stream.end(body);
  });
}

async function sendRound(api: TestApi, requests: OddRequests): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < requestsPerRound; sent += perConnection) {
    const session = connect(api.server.url, api.tls);
    session.on('error', () => {});
    let left = Math.min(perConnection, requestsPerRound - sent);
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        const status = await send(session, requests.next());
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    session.destroy();
  }
  return statuses;
}

it('keeps nothing of requests that have been answered', async () => {
  const measure = join(import.meta.dirname, 'measure-memory.ts');
  const flags = [
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    '--output=json',
    '--data-dir',
    await temporaryDirectory(),
  ];
  const server = new ServeProcess(['serve', ...flags, '--compaction-retention=20s', '--log-level=error'], {
    prefix: ['env', `NODE_OPTIONS=--expose-gc --import=${measure}`],
  });
  const api = await server.api();
  const requests = new OddRequests(createRandom(1));
  const measured: Memory[] = [await memoryOf(server)];
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [status, count] of await sendRound(api, requests)) {
      statuses.set(status, (statuses.get(status) ?? 0) + count);
    }
    measured.push(await memoryOf(server));
    const { used, resident } = measured.at(-1)!;
    console.log(
      `${(round + 1) * requestsPerRound} requests: ${used.toFixed(1)} MB used, ${resident.toFixed(0)} MB resident`,
    );
  }
  console.log(
    [...statuses]
      .sort(([one], [two]) => one - two)
      .map((entry) => entry.join(': '))
      .join(', '),
  );
  // Otherwise the requests were too odd to reach any handler.
  expect(statuses.get(200), 'answered with 200').toBeGreaterThan((rounds * requestsPerRound) / 10);
  expect(statuses.get(500), 'answered with 500').toBeUndefined();
  const highest = (of: readonly Memory[], key: keyof Memory): number => Math.max(...of.map((each) => each[key]));
  const [first, later] = [measured.slice(0, filling + 1), measured.slice(filling + 1)];
  for (const key of ['used', 'resident'] as const) {
    expect(highest(later, key), `MB ${key}`).toBeLessThan(highest(first, key) + margin[key]);
  }
  expect(Math.min(...later.map(({ used }) => used)), 'lowest MB used').toBeLessThan(highest(first, 'used'));
});
