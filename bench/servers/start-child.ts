import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';
import { endChild } from '../end-child.ts';

export interface Child {
  readonly pid: number;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Starts a program of the bench folder that listens and reports its port. */
export async function startChild(
  bench: Bench,
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const file = new URL(`../${program}`, import.meta.url);
  const child = fork(file, { cwd: repositoryRoot, env: { ...process.env, ...env } });
  const stop = bench.cleanup.add(() => endChild(child, 'SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${program} has ended`)));
  ended.catch(() => {});
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number];
  return { pid: child.pid!, port, stop };
}
