import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** Time for an empty file on a busy machine. */
const limitMs = 8000;

/** Like a loop without end, for the event loop, but it leaves the processor to others. */
const stuck = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

const files = {
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

const good = 'good.test.js';
const runs: { readonly name: string; readonly stuck: readonly (keyof typeof files)[] }[] = [
  { name: 'wherever they are stuck', stuck: ['in-a-test.test.js', 'deaf.test.js', 'at-import.test.js'] },
  { name: 'also when all results have been told', stuck: ['after-the-last-test.test.js'] },
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.concurrent.for(runs)(
  'kills files, reports them by name and runs the others, $name',
  async ({ stuck }, { expect, onTestFinished }) => {
    const project = mkdtempSync(join(tmpdir(), 'keelson-stuck-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
    const config = `import { limitedPool } from ${JSON.stringify(join(import.meta.dirname, 'limited-pool.ts'))};
      const pool = limitedPool({ fileTimeoutMs: ${limitMs}, stopTimeoutMs: ${limitMs} });
      export default { test: { pool, globals: true, teardownTimeout: ${3 * limitMs}, maxWorkers: 3 } };`;
    writeFileSync(join(project, 'vitest.config.mjs'), config);
    for (const name of [good, ...stuck] as const) writeFileSync(join(project, name), files[name]);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const run = spawn(process.execPath, [vitest, 'run', '--disable-console-intercept'], {
      cwd: project,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const [out, errors, [status]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
    expect(status, out + errors).toBe(1);
    const killed = errors.matchAll(/(\S+) did not end within 8 s and was killed/g).map(([, name]) => name!);
    expect([...new Set(killed)].toSorted(), errors).toEqual(stuck.toSorted());
    expect(out).toContain(`✓ ${good}`);
    const pids = [...out.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(stuck.length);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);
