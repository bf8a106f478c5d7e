import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';

export interface Child<T> {
  readonly pid: number;
  /** The first message of the process: usually the port on which it listens. */
  readonly message: T;
  readonly stop: () => Promise<void>;
}

/** Starts a program of the bench folder that sends a message when it listens. */
export async function startChild<T>(
  bench: Bench,
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child<T>> {
  const file = new URL(`../${program}`, import.meta.url);
  const child = fork(file, { cwd: repositoryRoot, env: { ...process.env, ...env } });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${program} has ended`)));
  ended.catch(() => {});
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return { pid: child.pid!, message, stop };
}
