import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

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

const stuckFiles = Object.keys(files).filter((name) => name !== 'good.test.js');

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('kills files that are stuck, reports them by name and runs the others', async () => {
  const project = mkdtempSync(join(tmpdir(), 'keelson-stuck-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const pool = JSON.stringify(join(import.meta.dirname, 'limited-pool.ts'));
  const config = `import { limitedPool } from ${pool};
    const pool = limitedPool({ fileTimeoutMs: ${limitMs}, stopTimeoutMs: ${limitMs} });
    export default { test: { pool, globals: true, maxWorkers: ${stuckFiles.length} } };`;
  for (const [name, content] of Object.entries({ ...files, 'vitest.config.mjs': config })) {
    writeFileSync(join(project, name), content);
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const run = spawn(process.execPath, [vitest, 'run', '--disable-console-intercept'], {
    cwd: project,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const [out, errors, [status]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'close')]);
  expect(status, out).toBe(1);
  const killed = errors.matchAll(/(\S+) did not end within 8 s and was killed/g).map(([, name]) => name!);
  expect([...new Set(killed)].toSorted(), errors).toEqual(stuckFiles.toSorted());
  expect(out).toMatch(/✓ good\.test\.js/);
  const pids = [...out.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids).toHaveLength(stuckFiles.length);
  expect(pids.filter(isAlive)).toEqual([]);
}, 60_000);
