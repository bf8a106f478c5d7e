import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { preparedObjects } from '../../src/registry/index.ts';
import { startServer } from '../../src/server/index.ts';
import { commandScript } from '../bundles/bundles.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const kinds = [
  '/v1/namespaces',
  'scheduling.k8s.io/v1/priorityclasses',
  'rbac.authorization.k8s.io/v1/clusterroles',
  'rbac.authorization.k8s.io/v1/clusterrolebindings',
  'rbac.authorization.k8s.io/v1/roles',
  'rbac.authorization.k8s.io/v1/rolebindings',
  'flowcontrol.apiserver.k8s.io/v1/flowschemas',
  'flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  'apiregistration.k8s.io/v1/apiservices',
];

interface Item {
  readonly metadata: { readonly uid: string; readonly creationTimestamp: string };
}

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const withoutIdentity = (document: string): string => document.replace(uid, '').replaceAll(time, '');

it('the bundle has all objects that a new server creates without requests', async () => {
  const { client, stop } = await startServer({ storage: 'memory', securePort: 0, controllers: [] });
  onTestFinished(stop);
  const file = join(dirname(commandScript), 'default-objects.json');
  const bundled = JSON.parse(await readFile(file, 'utf8')) as ReturnType<typeof preparedObjects>;
  const documents = (objects: ReturnType<typeof preparedObjects>) =>
    Object.fromEntries(Object.entries(objects).map(([key, { document }]) => [key, withoutIdentity(document)]));
  // Other servers of this process may have prepared more.
  expect(documents(preparedObjects())).toMatchObject(documents(bundled));
  const lists = await Promise.all(
    kinds.map((kind) => {
      const [group, version, resource] = kind.split('/') as [string, string, string];
      return client.resource({ group, version, resource }).list();
    }),
  );
  expect(Object.keys(bundled)).toHaveLength(lists.flatMap(({ items }) => items).length);
});

it('a server of the bundle creates them with its own identity and time', async () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const items: Item[][] = [];
  for (let start = 0; start < 2; start++) {
    const server = new ServeProcess([
      'serve',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--output=json',
      '--controllers=',
      `--data-dir=${await temporaryDirectory()}`,
    ]);
    const api = await server.api();
    const lists = await Promise.all(
      kinds.map((kind) => api.get(kind.startsWith('/') ? `/api${kind}` : `/apis/${kind}`)),
    );
    items.push(lists.flatMap(({ body }) => (body as { items: Item[] }).items));
  }
  const [first, second] = items.map((list) => list.map((item) => item.metadata.uid));
  expect(first!.length).toBeGreaterThan(100);
  expect(new Set([...first!, ...second!]).size).toBe(2 * first!.length);
  const times = items.flat().flatMap((item) => JSON.stringify(item).match(time)!);
  for (const text of times) expect(Date.parse(text)).toBeGreaterThanOrEqual(before);
});
