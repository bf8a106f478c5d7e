import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../free-ports.ts';
import { example, failing, report, runnerProject } from './runner-project.ts';

/** Examples that use the same server. Each has different object names. */
const headings = [
  'Testing with Keelson',
  'Forks',
  'Snapshots',
  'Time',
  'Repeatable runs',
  'Waiting until the server is idle',
];

/** Returns a test file that runs the other examples. */
async function examples(): Promise<string> {
  const port = await freePort();
  const codes = [...headings.map((heading) => example(heading)), example('Faults', 0, 'faults.md')];
  const blocks = (await Promise.all(codes)).map((code) => {
    const inside = code.replace(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = await import($2);');
    const used = new Set(inside.match(/\bconst (server|first|second|fork)\b/g)?.map((found) => found.slice(6)));
    const stops = [...used].map((name) => `await ${name}.stop();\n`).join('');
    return `{\n${inside.replaceAll('16443', String(port))}${stops}}\n`;
  });
  const imports = "import { startTestServer } from 'keelson/testing';\n";
  return `${imports}test('the examples', async () => {\nconst { server } = kit;\n${blocks.join('')}});\n`;
}

it('node:test gives each test a fresh state, reports what a failed one did, and runs the other examples', async () => {
  const cwd = await runnerProject({ 'settings.test.mjs': (await example('node:test')) + (await examples()) + failing });
  // With the variable of the process that runs this test, the report would become part of its report.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap', 'settings.test.mjs'];
  const run = await promisify(execFile)(process.execPath, args, { cwd, env }).catch((failed) => failed);
  const outcomes = ['ok 1 - one', 'ok 2 - two', 'ok 3 - the examples', 'not ok 4 - fails'];
  expect([run.stdout.match(/^(not )?ok .*$/gm), run.stdout]).toEqual([outcomes, expect.any(String)]);
  expect(run.code).toBe(1);
  // Lines of standard error are comments in TAP.
  expect(run.stdout.replace(/^# /gm, '')).toMatch(report);
});
