import { expect, it, onTestFinished, vi } from 'vitest';
import { Client, Discovery, type Fetch } from '../../client/index.ts';
import { OwnerGraph } from './owner-graph.ts';
import { ResourceMonitors } from './resource-monitors.ts';

const verbs = ['delete', 'list', 'watch'];
const configMaps = { resource: 'configmaps', responseKind: { kind: 'ConfigMap' }, scope: 'Namespaced', verbs };
const items = [{ metadata: { name: '' }, versions: [{ version: 'v1', resources: [configMaps] }] }];

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const put = (name: string, ...owners: string[]) => {
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }));
  return line('ADDED', { metadata: { name, namespace: 'a', uid: name, resourceVersion: '1', ownerReferences } });
};
const end = line('BOOKMARK', {
  metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } },
});
const gone = line('ERROR', { kind: 'Status', code: 410, metadata: {} });

/** Answers one watch after the other with these streams; the last one stays open. */
function scripted(streams: string[]): Fetch {
  return async ({ path, signal }) => {
    const isWatch = path.includes('watch=');
    const text = isWatch ? (streams.shift() ?? '') : JSON.stringify({ items: path === '/api' ? items : [] });
    const isLast = isWatch && streams.length === 0;
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
      if (isLast) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    }
    return { status: 200, headers: {}, body: body() };
  };
}

it('removes objects whose deletion was missed before a relist', async () => {
  const checked: string[] = [];
  const graph = new OwnerGraph({ check: (uid) => void checked.push(uid), orphan: () => {} });
  const client = new Client(
    scripted([
      put('owner') + put('stays') + put('child', 'owner') + put('other', 'owner') + end + gone,
      put('half') + gone,
      put('stays') + put('child', 'owner') + end,
    ]),
  );
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const monitors = new ResourceMonitors(
    {
      client,
      discovery: new Discovery(client),
      report: () => {},
      onPut: (type, object) => graph.put(type, object),
      onRemoved: (uid) => graph.remove(uid),
      onForgotten: () => {},
      uidsOf: (key) => graph.uidsOf(key),
      onTypes: () => {},
    },
    stop.signal,
  );
  await monitors.refresh();
  graph.complete();
  await vi.waitFor(() => expect([...graph.uidsOf('ConfigMap.')].sort()).toEqual(['child', 'stays']));
  expect(checked).toContain('child');
  expect([...graph.dependents('owner')].map(({ uid }) => uid)).toEqual(['child']);
});
