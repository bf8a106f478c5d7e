import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { example, failing, report, runnerProject } from './runner-project.ts';

it('node:test gives each test a fresh state, and reports what a failed one did', async () => {
  const cwd = await runnerProject({ 'settings.test.mjs': (await example('node:test')) + failing });
  // That of the process that runs this test would make it a part of the same report.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap', 'settings.test.mjs'];
  const run = await promisify(execFile)(process.execPath, args, { cwd, env }).catch((failed) => failed);
  expect(run.code).toBe(1);
  expect(run.stdout.match(/^ *(not )?ok \d+ - .*$/gm)).toEqual(['ok 1 - one', 'ok 2 - two', 'not ok 3 - fails']);
  // The lines of standard error are comments of TAP.
  expect(run.stdout.replace(/^# /gm, '')).toMatch(report);
});
