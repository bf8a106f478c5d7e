import {
  ApiextensionsV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1CustomResourceDefinition,
  Watch,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { definitionOf } from '../wire/custom-types.ts';

interface Widget extends KubernetesObject {
  spec?: { size?: number };
  status?: { ready?: boolean };
}

const group = 'node.example.com';
const widgets = { group, version: 'v1', namespace: 'default', plural: 'widgets' };
const path = `/apis/${group}/v1/namespaces/default/widgets`;
// The schema has no `x-kubernetes` extensions, because the client uses other names for them.
const properties = {
  spec: { type: 'object', properties: { size: { type: 'integer' } } },
  status: { type: 'object', properties: { ready: { type: 'boolean' } } },
};
const schema = { openAPIV3Schema: { type: 'object', properties } };
const versions = ['v1', 'v2'].map((name) => ({ name, schema }));
const definition = definitionOf({ singular: 'widget', group, versions });
const widget = (name: string, size: number): Widget => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec: { size },
});

let server: Server;
let config: KubeConfig;
let custom: CustomObjectsApi;
let extensions: ApiextensionsV1Api;
beforeAll(async () => {
  server = await startTestedServer({ storage: 'memory', controllers: [] });
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  custom = config.makeApiClient(CustomObjectsApi);
  extensions = config.makeApiClient(ApiextensionsV1Api);
  await extensions.createCustomResourceDefinition({ body: definition as unknown as V1CustomResourceDefinition });
  await vi.waitUntil(async () => {
    const { status } = await extensions.readCustomResourceDefinition({ name: definition.metadata.name });
    return status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True');
  });
});
afterAll(() => server.stop());

it('writes and reads with the client for custom objects', async () => {
  const made: Widget = await custom.createNamespacedCustomObject({ ...widgets, body: widget('plain', 1) });
  expect(made).toMatchObject({ kind: 'Widget', metadata: { generation: 1 }, spec: { size: 1 } });
  const named = { ...widgets, name: 'plain' };
  const replaced = await custom.replaceNamespacedCustomObject({ ...named, body: { ...made, spec: { size: 2 } } });
  expect(replaced).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await custom.patchNamespacedCustomObject({ ...named, body: { spec: { size: 3 } } }, merge);
  await custom.patchNamespacedCustomObjectStatus({ ...named, body: { status: { ready: true } } }, merge);
  expect(await custom.getNamespacedCustomObject(named)).toMatchObject({ spec: { size: 3 }, status: { ready: true } });
  const { items } = (await custom.listNamespacedCustomObject(widgets)) as { items: Widget[] };
  expect(items).toMatchObject([{ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'plain' } }]);
  await custom.deleteNamespacedCustomObject(named);
  await expect(custom.getNamespacedCustomObject(named)).rejects.toMatchObject({ code: 404 });
});

it('finds the type by itself with the dynamic client', async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const made = await objects.create<Widget>(widget('dynamic', 1));
  expect(made.metadata?.uid).toBeTruthy();
  const header = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'dynamic', namespace: 'default' } };
  expect((await objects.read<Widget>(header)).spec).toEqual({ size: 1 });
  const patched = await objects.patch<Widget>(
    { ...header, spec: { size: 5 } } as Widget,
    undefined,
    undefined,
    undefined,
    undefined,
    PatchStrategy.MergePatch,
  );
  expect(patched.spec).toEqual({ size: 5 });
  const { items } = await objects.list<Widget>(`${group}/v2`, 'Widget', 'default');
  expect(items.map(({ apiVersion, spec }) => [apiVersion, spec])).toEqual([[`${group}/v2`, { size: 5 }]]);
  await objects.delete(header);
  await expect(objects.read(header)).rejects.toMatchObject({ code: 404 });
});

it('an informer follows custom objects', async () => {
  const informer = makeInformer<Widget>(
    config,
    path,
    () => custom.listNamespacedCustomObject(widgets) as Promise<{ items: Widget[] } & object>,
  );
  const seen: string[] = [];
  for (const event of ['add', 'update', 'delete'] as const) {
    informer.on(event, ({ metadata, spec }) => seen.push(`${event} ${metadata?.name} ${spec?.size}`));
  }
  await custom.createNamespacedCustomObject({ ...widgets, body: widget('known', 1) });
  await informer.start();
  await custom.createNamespacedCustomObject({ ...widgets, body: widget('new', 1) });
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await custom.patchNamespacedCustomObject({ ...widgets, name: 'known', body: { spec: { size: 2 } } }, merge);
  for (const name of ['known', 'new']) await custom.deleteNamespacedCustomObject({ ...widgets, name });
  const expected = ['add known 1', 'add new 1', 'update known 2', 'delete known 2', 'delete new 1'];
  await vi.waitUntil(() => seen.length >= expected.length, { interval: 5 });
  expect(seen).toEqual(expected);
  await informer.stop();
});

it('a watch ends with its version and goes on in another, without a gap', async () => {
  const seen: string[] = [];
  let version = '';
  const follow = (served: string, resourceVersion: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      new Watch(config)
        .watch(
          path.replace('/v1/', `/${served}/`),
          resourceVersion === '' ? {} : { resourceVersion },
          (type, object: Widget) => {
            seen.push(`${type} ${object.apiVersion} ${object.metadata?.name}`);
            version = object.metadata?.resourceVersion ?? '';
          },
          resolve,
        )
        .catch(reject);
    });
  const ended = follow('v1', '');
  await custom.createNamespacedCustomObject({ ...widgets, body: widget('before', 1) });
  await vi.waitUntil(() => seen.length === 1, { interval: 5 });
  const { name } = definition.metadata;
  const [first, second] = definition.spec.versions;
  const changed = [
    { ...first, served: false, storage: false },
    { ...second, storage: true },
  ];
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await extensions.patchCustomResourceDefinition({ name, body: { spec: { versions: changed } } }, merge);
  // The watch has ended without an error.
  expect(await ended).toBeNull();
  const body = { ...widget('between', 2), apiVersion: `${group}/v2` };
  await custom.createNamespacedCustomObject({ ...widgets, version: 'v2', body });
  void follow('v2', version);
  await vi.waitUntil(() => seen.length === 2, { interval: 5 });
  expect(seen).toEqual([`ADDED ${group}/v1 before`, `ADDED ${group}/v2 between`]);
});
