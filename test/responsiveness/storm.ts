import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestApi } from '../wire/api.ts';

export interface StormOptions {
  readonly url: string;
  /** The credentials of the client, which impersonates another user. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly user: string;
  /** The number of concurrent requests. */
  readonly lists: number;
  readonly creates: number;
}

export interface Storm {
  /** Stops the process. Resolves with the number of responses by status. */
  stop(): Promise<Record<string, number>>;
}

/** Headers to impersonate a user who is not an administrator. */
export const asUser = (user: string) => ({ headers: { 'impersonate-user': user, 'impersonate-group': 'dev' } });

/** Starts a process that sends large lists and creates as one user. Resolves when it has begun. */
export async function startStorm(
  api: TestApi,
  options: Pick<StormOptions, 'user' | 'lists' | 'creates'>,
): Promise<Storm> {
  const { ca, cert, key } = api.tls;
  const storm = { ...options, url: api.server.url, ca: String(ca), cert: String(cert), key: String(key) };
  const child = fork(join(import.meta.dirname, 'storm-process.ts'), {
    env: { ...process.env, NODE_OPTIONS: '', STORM: JSON.stringify(storm) },
    execArgv: [],
  });
  await once(child, 'message');
  return {
    async stop() {
      const received = once(child, 'message');
      const exited = once(child, 'exit');
      child.send('stop');
      const [responses] = (await received) as [Record<string, number>];
      await exited;
      return responses;
    },
  };
}

/** Sends requests one after the other. Returns their durations in milliseconds, in ascending order. */
export async function durations(count: number, send: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    const startedAt = performance.now();
    await send();
    all.push(performance.now() - startedAt);
  }
  return all.sort((a, b) => a - b);
}

export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!;
}
