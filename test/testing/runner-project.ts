import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../bundles/bundles.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';

/** Returns the program in a section of a page about testing. */
export async function example(heading: string, index = 0, name = 'README.md'): Promise<string> {
  const page = await readFile(join(root, 'docs', 'testing', name), 'utf8');
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`));
  const [, code] = [...(section ?? '').matchAll(/^```js\n(.*?)^```$/gms)][index] ?? [];
  if (code === undefined) throw new Error(`there is no example ${index} for ${heading}`);
  return code;
}

/** Creates a folder with the files, in which the published package is installed. */
export async function runnerProject(
  files: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await temporaryDirectory();
  await mkdir(join(folder, 'node_modules'));
  for (const [name, path] of Object.entries({ keelson: root, ...packages })) {
    await symlink(path, join(folder, 'node_modules', name));
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** A test that fails after a change of an object. */
export const failing = `
test('fails', async () => {
  await configMaps().create({ metadata: { name: 'wrong' }, data: { colour: 'red' } });
  throw new Error('as expected');
});
`;

/** The expected report: the object, who changed it, and the requests. */
export const report = new RegExp(
  [
    'The test "fails" has failed. What happened on the server since revision \\d+:',
    ' {2}created configmaps/default/wrong',
    ' {4}by kube-apiserver Update at .*',
    ' {4}.*"data":\\{"colour":"red"\\}.*',
    'The last requests:',
    ' {2}POST /api/v1/namespaces/default/configmaps 200 in .* ms by system:apiserver \\(.*\\)',
  ].join('\n'),
);
