import { expect, it } from 'vitest';
import { startTestServer } from '../../testing/index.ts';
import { OwnerGraph } from './owner-graph.ts';
import { OwnerLookup } from './owner-lookup.ts';

const type = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true };

it('remembers an absent owner until the store is restored', async () => {
  await using server = await startTestServer({ controllers: [] });
  const objects = server.client.resource(type, 'default');
  const { uid = '' } = (await objects.create({ metadata: { name: 'owner' } })).metadata;
  const present = await server.snapshot();
  await objects.delete('owner');
  let state = 0;
  const graph = new OwnerGraph({ check: () => {}, orphan: () => {} });
  const lookup = new OwnerLookup({ client: server.client, graph, typeOf: () => type, storeState: () => state });
  const find = () =>
    lookup.find({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }, { metadata: { namespace: 'default' } });
  expect(await find()).toBe('absent');
  await server.restore(present);
  expect(await find()).toBe('absent');
  state++;
  expect(await find()).toBe('solid');
});
