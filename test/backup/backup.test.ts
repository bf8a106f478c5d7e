import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DamagedStore } from '../corruption/damaged-store.ts';
import { run, runHere } from '../existing-data/run-command.ts';
import { ServeProcess } from '../process/serve-process.ts';
import type { TestApi } from '../wire/api.ts';
import { backupPlace, configMaps, quiet, startHere, stop } from './backup-place.ts';

const at = backupPlace();

const start = () => ServeProcess.start(`--data-dir=${at.dataDir}`, '--controllers=');
const create = async (api: TestApi, name: string) => {
  expect((await api.post(configMaps, { metadata: { name }, data: { colour: 'red' } })).status).toBe(200);
};
/** Creates the data directory of a server that has stopped. */
const fill = async (): Promise<void> => {
  const api = await startHere(at.dataDir);
  await create(api, 'a');
  await api.stop();
};
const namesOf = async (api: TestApi): Promise<string[]> =>
  (await api.get(configMaps)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

describe('a backup of a running server', () => {
  it('prints nothing, and restores the same objects and certificates on another machine', async () => {
    const api = await start().api();
    await create(api, 'a');
    const { resourceVersion } = (await api.get(configMaps)).body.metadata;
    expect(await run('backup', at.file, `--data-dir=${at.dataDir}`)).toEqual(quiet);
    expect((await stat(at.file)).mode & 0o777).toBe(0o600);
    await create(api, 'b');
    expect(await runHere('verify', at.file)).toEqual(quiet);
    expect(await run('verify', at.dataDir)).toEqual(quiet);

    const other = join(at.place, 'other');
    const restored = JSON.parse((await run('restore', at.file, `--data-dir=${other}`, '--output=json')).stdout);
    expect(restored).toMatchObject({ certificates: true, atNextStart: false });
    expect(await readFile(join(other, 'pki/ca.key'))).toEqual(await readFile(join(at.dataDir, 'pki/ca.key')));
    const copy = await startHere(other);
    expect(await namesOf(copy)).toContain('a');
    expect(await namesOf(copy)).not.toContain('b');
    // Versions of the original server cannot be used with the copy.
    for (const query of ['watch=true', 'resourceVersionMatch=Exact&limit=5']) {
      const { status, body } = await copy.get(`${configMaps}?${query}&resourceVersion=${resourceVersion}`);
      expect({ query, status, code: body.object?.code ?? body.code }).toMatchObject({ query, code: 410 });
    }
    const now = Number((await copy.get(configMaps)).body.metadata.resourceVersion);
    expect(now).toBeGreaterThanOrEqual(restored.revision);
    await copy.stop();
    expect(await runHere('verify', other)).toEqual(quiet);
  });

  it('is restored on the server when that is started again', async () => {
    const server = start();
    const api = await server.api();
    await create(api, 'a');
    expect(await runHere('backup', at.file, `--data-dir=${at.dataDir}`)).toEqual(quiet);
    await create(api, 'b');
    expect(await runHere('restore', at.file, `--data-dir=${at.dataDir}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has objects already'),
    });
    expect(await runHere('restore', at.file, `--data-dir=${at.dataDir}`, '--replace')).toMatchObject({
      code: 0,
      stderr: `keelson: a server is using ${at.dataDir}: restart it to serve the restored objects\n`,
    });
    await create(api, 'c');
    expect(await namesOf(api)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    await stop(server);
    const again = await startHere(at.dataDir);
    expect(await namesOf(again)).toContain('a');
    expect(await namesOf(again)).not.toContain('b');
    await create(again, 'd');
    await again.stop();
    expect(await runHere('verify', at.dataDir)).toEqual(quiet);
  });
});

describe('damage', () => {
  it('is reported, with the commands that help', async () => {
    await fill();
    expect(await runHere('backup', at.file, `--data-dir=${at.dataDir}`)).toEqual(quiet);
    const store = new DamagedStore(at.dataDir);
    store.damage('/registry/configmaps/default/a', { change: () => Buffer.from('{}') });
    store.close();
    const { code, stdout } = await runHere('verify', at.dataDir);
    expect(code).toBe(3);
    expect(stdout).toContain('object: /registry/configmaps/default/a at revision');
    expect(stdout).toContain('the checksum does not match the value');
    expect(stdout).toContain(`keelson restore FILE --data-dir=${at.dataDir} --replace`);

    // An incomplete backup must not replace a complete one.
    const whole = await readFile(at.file);
    expect(await runHere('backup', at.file, `--data-dir=${at.dataDir}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/registry/configmaps/default/a'),
    });
    expect(await readFile(at.file)).toEqual(whole);
    expect((await runHere('restore', at.file, `--data-dir=${at.dataDir}`, '--replace')).code).toBe(0);
    expect(await runHere('verify', at.dataDir)).toEqual(quiet);
    expect(await namesOf(await startHere(at.dataDir))).toContain('a');
  });

  it('keeps a backup from being restored', async () => {
    await fill();
    expect((await runHere('backup', at.file, `--data-dir=${at.dataDir}`)).code).toBe(0);
    const bytes = await readFile(at.file);
    bytes[bytes.indexOf('"colour":"red"') + 10]! ^= 1;
    await writeFile(at.file, bytes);
    expect(await runHere('verify', at.file)).toMatchObject({ code: 3, stdout: expect.stringContaining('is damaged') });
    const other = join(at.place, 'other');
    expect((await runHere('restore', at.file, `--data-dir=${other}`)).code).toBe(1);
    await expect(stat(join(other, 'store'))).rejects.toThrow('ENOENT');
  });
});

it('takes the data directory from the configuration of the server', async () => {
  await fill();
  const config = join(at.place, 'keelson.yaml');
  await writeFile(config, `data-dir: ${at.dataDir}\nsecure-port: 7443\n`);
  const { stdout, code } = await runHere('backup', at.file, `--config=${config}`, '--output=json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ file: at.file, release: expect.any(String), unreadable: [] });
});
