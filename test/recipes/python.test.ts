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

/** What the recipe does not show: those who may not set faults. */
const refusals = `
from keelson_test import *

class RefusalTest(KeelsonTest):
    def test_others_may_not(self):
        other = config.new_client_from_config(self.ready['kubeconfig'])
        other.set_default_header('Impersonate-User', 'alice')
        with self.assertRaises(client.ApiException) as refused:
            other.call_api('/keelson/faults', 'GET', response_type='object')
        self.assertEqual(refused.exception.status, 403)

    def test_a_bad_rule_is_refused(self):
        with self.assertRaises(client.ApiException) as refused:
            self.faults('POST', {'action': {'type': 'explode'}})
        self.assertEqual(refused.exception.status, 400)
        self.assertIn('action.type: must be one of', json.loads(refused.exception.body)['message'])

    def test_without_the_flag_there_is_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            flags = ['--storage=memory', '--output=json', '--bind-address=127.0.0.1', '--secure-port=0', '--controllers=', '--threads=1']
            plain = subprocess.Popen([*KEELSON, 'serve', *flags, '--data-dir=' + folder], stdout=subprocess.PIPE)
            try:
                api = config.new_client_from_config(json.loads(plain.stdout.readline())['kubeconfig'])
                for method in ['GET', 'POST', 'DELETE']:
                    with self.assertRaises(client.ApiException) as refused:
                        api.call_api('/keelson/faults', method, body={}, response_type='object')
                    self.assertEqual(refused.exception.status, 404)
            finally:
                plain.terminate()
                plain.wait()
                plain.stdout.close()
`;

it.skipIf(python === undefined)('the recipe for Python sets faults over HTTP, if it may', async () => {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, 'keelson_test.py'), recipe('python'));
  await writeFile(join(folder, 'refused_test.py'), refusals);
  const env = { ...python!.env, KEELSON: `${process.execPath} ${commandScript}` };
  const names = ['keelson_test', 'refused_test.RefusalTest'];
  const { stderr } = await run(python!.path, ['-m', 'unittest', ...names], { cwd: folder, env });
  expect(stderr).toMatch(/^Ran 5 tests in .*\n\nOK$/m);
});
