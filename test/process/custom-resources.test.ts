import { expect, it } from 'vitest';
import { define, definitionOf, objectOf, pathOf } from '../wire/custom-types.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

it('custom types and objects are there when the server is ready again, after SIGTERM and after SIGKILL', async () => {
  const dataDir = await temporaryDirectory();
  const definitions = ['lamp', 'shade'].map((singular) => definitionOf({ singular, versions: ['v1', 'v2'] }));
  const [lamps, shades] = definitions;
  let server = ServeProcess.start(`--data-dir=${dataDir}`, '--controllers=');
  let api = await server.api();
  for (const definition of definitions) await define(api, definition);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const lamp = (await api.post(pathOf(lamps!), objectOf(lamps!, 'a', { spec: { watts: 5 } }))).body;
    const { apiVersion, kind, metadata } = lamp;
    const ownerReferences = [{ apiVersion, kind, name: 'a', uid: metadata.uid }];
    await api.post(pathOf(shades!), { ...objectOf(shades!, ''), metadata: { name: 'b', ownerReferences } });
    server.kill(signal);
    await server.exited;

    server = ServeProcess.start(`--data-dir=${dataDir}`);
    api = await server.api();
    // The types are served as soon as the server is ready.
    expect((await api.get(`${pathOf(lamps!)}/a`)).body).toEqual(lamp);
    expect((await api.get(`${pathOf(lamps!, { version: 'v2' })}/a`)).body.spec).toEqual({ watts: 5 });
    const { resources } = (await api.get('/apis/example.com/v1')).body;
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['lamps', 'shades']));
    const watch = await api.watch(`${pathOf(lamps!)}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await api.delete(`${pathOf(lamps!)}/a`);
    expect(await watch.take(1)).toEqual(['DELETED a']);
    watch.close();
    // The garbage collector also handles the types.
    await expect.poll(async () => (await api.get(`${pathOf(shades!)}/b`)).status).toBe(404);
  }
});
