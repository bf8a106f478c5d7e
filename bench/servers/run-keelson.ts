import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Bench, repositoryRoot } from '../bench.ts';

/** Runs another command of the program under test than `serve`, to its end. Returns how long it took, in seconds. */
export async function runKeelson(bench: Bench, args: readonly string[]): Promise<number> {
  const { serverCommand } = bench.options;
  const [command, ...before] = serverCommand.slice(0, -1);
  const startedAt = performance.now();
  const child = spawn(command!, [...before, ...args], { cwd: repositoryRoot, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => {
    log = (log + text).slice(-4000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')}: ended with ${code}\n${log}`);
  return (performance.now() - startedAt) / 1000;
}
