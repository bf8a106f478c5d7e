import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ controllers: ['namespace-controller', 'garbage-collector-controller'] });
});
afterAll(() => api.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';
const [first, second] = ['example.com/first', 'example.com/second'];

async function marked(name: string, finalizers: readonly string[]): Promise<string> {
  await api.post(configMaps, { metadata: { name, finalizers } });
  await api.delete(`${configMaps}/${name}`);
  return `${configMaps}/${name}`;
}

describe('an object with finalizers', () => {
  it('stays until the last one is removed, and another delete changes nothing', async () => {
    const path = await marked('stays', [first, second]);
    const before = (await api.get(path)).body;
    expect((await api.delete(path)).body).toEqual(before);
    await api.patch(path, { metadata: { finalizers: [second] } });
    expect((await api.get(path)).body.metadata.finalizers).toEqual([second]);
    const last = await api.patch(path, { metadata: { finalizers: null } });
    expect(last.status).toBe(200);
    expect(last.body.metadata.finalizers).toBeUndefined();
    expect((await api.get(path)).status).toBe(404);
  });

  it('sends one event when it is deleted, by PUT as by PATCH', async () => {
    const { body: list } = await api.get(configMaps);
    const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${list.metadata.resourceVersion}`);
    const patched = await marked('patched', [first]);
    await api.patch(patched, { metadata: { finalizers: [] } });
    const put = await marked('put', [first]);
    const { body } = await api.get(put);
    await api.put(put, { ...body, metadata: { ...body.metadata, finalizers: [] } });
    await api.post(configMaps, { metadata: { name: 'end' } });
    expect(await watch.take(7)).toEqual([
      'ADDED patched',
      'MODIFIED patched',
      'DELETED patched',
      'ADDED put',
      'MODIFIED put',
      'DELETED put',
      'ADDED end',
    ]);
    watch.close();
  });

  it('gets no new ones while it waits', async () => {
    const path = await marked('late', [first]);
    const { status, body } = await api.patch(path, { metadata: { finalizers: [first, second] } });
    expect(status).toBe(422);
    expect(body.message).toContain(
      `metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"${second}"}`,
    );
    expect((await api.patch(path, { data: { still: 'writable' } })).status).toBe(200);
  });

  it('keeps its name taken', async () => {
    await marked('taken', [first]);
    const { status, body } = await api.post(configMaps, { metadata: { name: 'taken' } });
    expect(status).toBe(409);
    expect(body.message).toBe('object is being deleted: configmaps "taken" already exists');
  });
});

describe('a collection', () => {
  const labelled = (name: string, more: object = {}) => ({ metadata: { name, labels: { set: 'yes' }, ...more } });
  const selected = `${configMaps}?labelSelector=set%3Dyes`;
  const left = async (): Promise<string[]> =>
    (await api.get(selected)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

  it('is deleted as it was listed, with all options', async () => {
    for (const name of ['a', 'b', 'c']) await api.post(configMaps, labelled(name));
    await api.post(configMaps, labelled('held', { finalizers: [first] }));
    const dry = await api.delete(`${selected}&dryRun=All`);
    expect(dry.body).toMatchObject({ kind: 'ConfigMapList', items: [{}, {}, {}, {}] });
    expect(await left()).toEqual(['a', 'b', 'c', 'held']);
    const one = await api.delete(`${selected}&limit=1`);
    expect(one.body.items).toHaveLength(1);
    expect(one.body.metadata.continue).not.toBe('');
    expect(await left()).toEqual(['b', 'c', 'held']);
    const refused = await api.delete(selected, { body: { preconditions: { uid: 'x' } } });
    expect(refused.body).toMatchObject({ code: 409, details: { name: 'b' } });
    const all = await api.delete(selected, { body: { propagationPolicy: 'Orphan' } });
    expect(all.body.items.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      expect.not.objectContaining({ deletionTimestamp: expect.anything() }),
      expect.not.objectContaining({ deletionTimestamp: expect.anything() }),
      expect.not.objectContaining({ deletionTimestamp: expect.anything() }),
    ]);
    await expect.poll(left).toEqual(['held']);
    await api.patch(`${configMaps}/held`, { metadata: { finalizers: null } });
  });

  it('loses nothing else when it has many objects and others write to it', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    for (const name of names) await api.post(configMaps, labelled(name));
    const busy = names.map((name) => api.patch(`${configMaps}/${name}`, { data: { busy: 'yes' } }));
    const swept = await api.delete(selected);
    await Promise.all(busy);
    expect(swept.status).toBe(200);
    expect(swept.body.items).toHaveLength(names.length);
    expect(await left()).toEqual([]);
    expect((await api.get(`${configMaps}/late`)).status).toBe(200);
  });
});

describe('a namespace', () => {
  it('is marked by the first delete, and takes nothing new', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'going' } });
    const path = '/api/v1/namespaces/going';
    await api.post(`${path}/configmaps`, { metadata: { name: 'held', finalizers: [first] } });
    const { status, body } = await api.delete(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect(body.metadata.deletionGracePeriodSeconds).toBeUndefined();
    const again = await api.delete(`${path}?propagationPolicy=Foreground`);
    expect(again.body.metadata.finalizers).toBeUndefined();
    const refused = await api.post(`${path}/configmaps`, { metadata: { name: 'new' } });
    expect(refused.body).toMatchObject({
      code: 403,
      message:
        'configmaps "new" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace going is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
    expect((await api.patch(`${path}/configmaps/held`, { data: { a: 'b' } })).status).toBe(200);
    await api.patch(`${path}/configmaps/held`, { metadata: { finalizers: null } });
    await expect.poll(async () => (await api.get(path)).status).toBe(404);
  });

  it.each([
    ['default', 403],
    ['kube-system', 403],
    ['kube-public', 403],
    ['kube-node-lease', 200],
  ])('%s', async (name, expected) => {
    expect((await api.delete(`/api/v1/namespaces/${name}?dryRun=All`)).status).toBe(expected);
  });
});
