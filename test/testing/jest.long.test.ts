import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { fetchedJest } from '../../scripts/test-clients/jest.ts';
import { example, failing, report, runnerProject } from './runner-project.ts';

const jest = fetchedJest();
it.skipIf(jest === undefined)(
  'jest has a server per worker, a fresh state per test, and reports failures',
  async () => {
    const port = `\ntest('the port', () => { require('node:fs').appendFileSync('ports', keelson.server.url + '\\n'); });\n`;
    const cwd = await runnerProject(
      {
        'package.json': JSON.stringify({ jest: { testEnvironment: './keelson-environment.mjs' } }),
        'keelson-environment.mjs': await example('jest', 0),
        'settings.test.js': (await example('jest', 1)) + failing + port,
        'others.test.js': (await example('jest', 1)) + port,
      },
      { 'jest-environment-node': join(jest!, 'jest-environment-node') },
    );
    const args = [join(jest!, 'jest', 'bin', 'jest.js'), '--runInBand', '--watchman=false'];
    const run = await promisify(execFile)(process.execPath, args, { cwd }).catch((failed) => failed);
    expect(run.stderr).toMatch(/^Tests: +1 failed, 6 passed, 7 total$/m);
    expect(run.stderr).toMatch(report);
    expect(new Set((await readFile(join(cwd, 'ports'), 'utf8')).trim().split('\n')).size).toBe(1);
  },
);
