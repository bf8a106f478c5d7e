import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'vitest';

const root = join(import.meta.dirname, '../..');
/**
 * The limits for a file, in milliseconds. If a file that is not stuck is killed, the machine was too slow, and the next
 * limit is tried.
 */
const limitsMs = [8_000, 60_000];

/** Blocks the event loop like an endless loop, but leaves the processor to others. */
const stuck = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

const files: Readonly<Record<string, string>> = {
  'good.test.js': `it('passes', () => {});`,
  'in-a-test.test.js': `it('passes', () => {}); it('is stuck', () => { console.log('pid', process.pid); ${stuck}; });`,
  'deaf.test.js': `it('is stuck', () => {
    console.log('pid', process.pid);
    process.on('SIGTERM', () => {});
    ${stuck};
  });`,
  'at-import.test.js': `console.log('pid', process.pid); ${stuck};`,
  'after-the-last-test.test.js': `it('passes', () => {
    console.log('pid', process.pid);
    process.prependListener('message', ({ type }) => { if (type === 'stop') ${stuck}; });
  });`,
};

/** Takes longer than the limit, but none of its tests does. */
const slow = 'slow.test.js';
function slowFile(limitMs: number): string {
  const pause = `await new Promise((resolve) => setTimeout(resolve, ${limitMs / 4}));`;
  return Array.from({ length: 5 }, (_, index) => `it('passes ${index}', async () => { ${pause} });`).join('\n');
}

interface StuckRun {
  readonly name: string;
  readonly stuck: readonly string[];
  readonly others: readonly string[];
}

const runs: readonly StuckRun[] = [
  {
    name: 'wherever they are stuck',
    stuck: ['in-a-test.test.js', 'deaf.test.js', 'at-import.test.js'],
    others: ['good.test.js', slow],
  },
  { name: 'also when all results have been told', stuck: ['after-the-last-test.test.js'], others: [] },
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Run {
  readonly out: string;
  readonly errors: string;
  readonly status: number | null;
  /** The names of files. */
  readonly killed: readonly string[];
}

interface RunOptions {
  readonly isolate: boolean;
  /** The files that never end. */
  readonly stuck?: readonly string[];
  /** The number of concurrent processes. */
  readonly workers?: number;
}

/** Runs the files in a separate project. */
async function run(
  files: (limitMs: number) => Readonly<Record<string, string>>,
  { isolate, stuck = [], workers = 3 }: RunOptions,
): Promise<Run> {
  let run: Run | undefined;
  for (const limitMs of limitsMs) {
    run = await runOnce(files(limitMs), { isolate, workers, limitMs });
    if (run.killed.every((name) => stuck.includes(name))) break;
  }
  return run!;
}

async function runOnce(
  files: Readonly<Record<string, string>>,
  { isolate, workers, limitMs }: { readonly isolate: boolean; readonly workers: number; readonly limitMs: number },
): Promise<Run> {
  const project = mkdtempSync(join(tmpdir(), 'keelson-pool-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
    const config = `import { limitedPool } from ${JSON.stringify(join(import.meta.dirname, 'limited-pool.ts'))};
      const pool = limitedPool({
        silenceTimeoutMs: ${limitMs},
        stopTimeoutMs: ${limitMs},
        maxFilesPerProcess: 2,
      });
      const timeouts = { testTimeout: ${limitMs}, teardownTimeout: ${3 * limitMs} };
      const cacheDir = ${JSON.stringify(join(project, 'cache'))};
      export default { cacheDir, test: { pool, isolate: ${isolate}, globals: true, ...timeouts, maxWorkers: ${workers} } };`;
    writeFileSync(join(project, 'vitest.config.mjs'), config);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    // The other loaders of configurations write into the folder of the packages, which may be read-only.
    const run = spawn(process.execPath, [vitest, 'run', '--configLoader=native', '--disable-console-intercept'], {
      cwd: project,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const [out, errors, [status]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
    const killed = errors.matchAll(/(\S+) (?:told nothing for|did not end within) \d+ s and was killed/g);
    return { out, errors, status, killed: [...new Set(killed.map(([, name]) => name!))] };
  } finally {
    rmSync(project, { recursive: true });
  }
}

const pidsIn = (out: string): number[] => [...out.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));

it.concurrent.for(runs)(
  'kills files that do not go on, reports them by name and runs the others, $name',
  async ({ stuck, others }, { expect }) => {
    const texts = (limitMs: number) =>
      Object.fromEntries([...stuck, ...others].map((name) => [name, files[name] ?? slowFile(limitMs)]));
    const { out, errors, status, killed } = await run(texts, { isolate: true, stuck });
    expect(status, out + errors).toBe(1);
    expect(killed.toSorted(), errors).toEqual(stuck.toSorted());
    for (const name of others) expect(out).toContain(`✓ ${name}`);
    const pids = pidsIn(out);
    expect(pids).toHaveLength(stuck.length);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

it.concurrent('gives a shared process a limited number of files', async ({ expect }) => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.test.js`);
  const text = `it('passes', () => console.log('pid', process.pid));`;
  const texts = Object.fromEntries(names.map((name) => [name, text]));
  const { out, errors, status } = await run(() => texts, { isolate: false, workers: 2 });
  expect(status, out + errors).toBe(0);
  const pids = pidsIn(out);
  expect(pids).toHaveLength(5);
  const counts = [...new Set(pids)].map((pid) => pids.filter((other) => other === pid).length);
  expect(Math.max(...counts)).toBe(2);
});
