import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { fetchedPythonClient } from '../../scripts/test-clients/language-clients.ts';
import { commandScript } from '../bundles/bundles.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { recipe } from './recipe.ts';

const run = promisify(execFile);
const python = fetchedPythonClient();

it.skipIf(python === undefined)('the recipe for Python sets faults over HTTP', async () => {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, 'keelson_test.py'), recipe('python'));
  const env = { ...python!.env, KEELSON: `${process.execPath} ${commandScript}` };
  const { stderr } = await run(python!.path, ['-m', 'unittest', 'keelson_test'], { cwd: folder, env });
  expect(stderr).toMatch(/^Ran 2 tests in .*\n\nOK$/m);
});
