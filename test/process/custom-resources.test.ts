import { expect, it } from 'vitest';
import { define, definitionOf, objectOf, pathOf } from '../wire/custom-types.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const serve = (dataDir: string): ServeProcess => ServeProcess.start(`--data-dir=${dataDir}`);

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'custom types and objects are there when the server is ready again: %s',
  async (signal) => {
    const dataDir = await temporaryDirectory();
    const server = serve(dataDir);
    const api = await server.api();
    const definitions = ['lamp', 'shade'].map((singular) => definitionOf({ singular, versions: ['v1', 'v2'] }));
    for (const definition of definitions) await define(api, definition);
    const [lamps, shades] = definitions;
    const lamp = (await api.post(pathOf(lamps!), objectOf(lamps!, 'a', { spec: { watts: 5 } }))).body;
    const { apiVersion, kind, metadata } = lamp;
    const ownerReferences = [{ apiVersion, kind, name: 'a', uid: metadata.uid }];
    await api.post(pathOf(shades!), { ...objectOf(shades!, ''), metadata: { name: 'b', ownerReferences } });
    server.kill(signal);
    await server.exited;

    const again = await serve(dataDir).api();
    // Without waiting for anything but its readiness.
    expect((await again.get(`${pathOf(lamps!)}/a`)).body).toEqual(lamp);
    expect((await again.get(`${pathOf(lamps!, { version: 'v2' })}/a`)).body.spec).toEqual({ watts: 5 });
    const { resources } = (await again.get('/apis/example.com/v1')).body;
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['lamps', 'shades']));
    const watch = await again.watch(`${pathOf(lamps!)}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await again.delete(`${pathOf(lamps!)}/a`);
    expect(await watch.take(1)).toEqual(['DELETED a']);
    watch.close();
    // The garbage collector knows the types, too.
    await expect.poll(async () => (await again.get(`${pathOf(shades!)}/b`)).status).toBe(404);
  },
);
