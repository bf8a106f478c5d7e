import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const waitTimeoutMs = 10_000;

/** Asks a process to exit, and kills it when it does not. Resolves when the process is gone. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), waitTimeoutMs);
  await exited;
  clearTimeout(timer);
}
