import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { TestApi } from './api.ts';
import { cronTab, defineCronTabs } from './crontabs.ts';

const history = (path: string): string => `/keelson/history${path}`;
const configMaps = '/api/v1/namespaces/default/configmaps';
const as = (user: string) => ({ headers: { 'impersonate-user': user } });

const encryption = {
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'EncryptionConfiguration',
  resources: [
    {
      resources: ['*.*'],
      providers: [{ aescbc: { keys: [{ name: 'a', secret: Buffer.alloc(32, 'a').toString('base64') }] } }],
    },
  ],
};

describe.each(['memory', 'embedded, encrypted'])('%s: history', (kind) => {
  let api: TestApi;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-history-'));
    const encryptionProviderConfig = join(folder, 'encryption.json');
    await writeFile(encryptionProviderConfig, JSON.stringify(encryption));
    const stored: ServerOptions = { storage: 'embedded', encryptionProviderConfig };
    api = await TestApi.start(kind === 'memory' ? {} : stored);
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Creates an object, changes it with other managers, deletes it and creates it again. Returns the versions. */
  async function live(collection: string, name: string, body: object): Promise<string[]> {
    const path = `${collection}/${name}`;
    const made = await api.post(`${collection}?fieldManager=maker`, body);
    const changed = await api.patch(`${path}?fieldManager=changer`, { metadata: { labels: { changed: 'yes' } } });
    const deleted = await api.delete(path);
    expect([made.status, changed.status, deleted.status]).toEqual([200, 200, 200]);
    const again = await api.post(`${collection}?fieldManager=maker`, body);
    return [made, changed, again].map((response) => response.body.metadata.resourceVersion as string);
  }

  it.each(['a config map', 'a custom object'])('shows the revisions of %s', async (what) => {
    const isCustom = what === 'a custom object';
    const collection = isCustom ? await defineCronTabs(api, { group: 'history.example.com' }) : configMaps;
    const spec = { n: 1 };
    const body = isCustom
      ? cronTab('history.example.com', 'one', { spec })
      : { metadata: { name: 'one' }, data: { k: 'v' } };
    // An object whose name has the same prefix is not included.
    await api.post(collection, { ...body, metadata: { name: 'one-more' } });
    const [made, changed, again] = await live(collection, 'one', body);
    const { status, body: list } = await api.get(history(`${collection}/one`));
    expect(status).toBe(200);
    expect(list).toMatchObject({ truncated: false });
    const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const revisions = list.revisions as { revision: string; uid: string }[];
    expect(revisions).toEqual([
      { revision: made, type: 'ADDED', uid: revisions[1]!.uid, time: seconds, manager: 'maker', operation: 'Update' },
      {
        revision: changed,
        type: 'MODIFIED',
        uid: expect.any(String),
        time: seconds,
        manager: 'changer',
        operation: 'Update',
      },
      { revision: expect.any(String), type: 'DELETED', uid: revisions[1]!.uid },
      {
        revision: again,
        type: 'ADDED',
        uid: expect.any(String),
        time: seconds,
        manager: 'maker',
        operation: 'Update',
      },
    ]);
    expect(revisions[3]!.uid).not.toBe(revisions[0]!.uid);
    expect(Number(list.revision)).toBeGreaterThanOrEqual(Number(again));

    const at = (revision: string | number) => api.get(`${history(`${collection}/one`)}?revision=${revision}`);
    expect((await at(made!)).body.metadata).toMatchObject({ resourceVersion: made, uid: revisions[0]!.uid });
    expect((await at(made!)).body.metadata.labels).toBeUndefined();
    expect((await at(changed!)).body).toMatchObject({
      kind: isCustom ? 'CronTab' : 'ConfigMap',
      metadata: { resourceVersion: changed, labels: { changed: 'yes' } },
    });
    expect((await at(revisions[2]!.revision)).status).toBe(404);
    expect((await at(Number(made) - 1)).status).toBe(404);
    // At a version between two revisions of the object, the older revision is shown.
    await api.post(collection, { ...body, metadata: { name: 'another' } });
    expect(
      (await at((await api.get(`${collection}/another`)).body.metadata.resourceVersion)).body.metadata,
    ).toMatchObject({ resourceVersion: again });
  });

  it('shows the newest revisions if there are more than wanted', async () => {
    await api.post(configMaps, { metadata: { name: 'busy' } });
    const versions: string[] = [];
    for (let count = 0; count < 7; count++) {
      const { body } = await api.patch(`${configMaps}/busy`, { data: { count: String(count) } });
      versions.push(body.metadata.resourceVersion);
    }
    const { body } = await api.get(`${history(`${configMaps}/busy`)}?limit=3`);
    expect(body.truncated).toBe(true);
    expect(body.revisions.map(({ revision }: { revision: string }) => revision)).toEqual(versions.slice(-3));
  });

  it('shows a past version in other formats', async () => {
    const { body } = await api.post(configMaps, { metadata: { name: 'formats' }, data: { k: 'v' } });
    const path = `${history(`${configMaps}/formats`)}?revision=${body.metadata.resourceVersion}`;
    expect((await api.get(path, { headers: { accept: 'application/yaml' } })).text).toContain('kind: ConfigMap\n');
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    expect((await api.get(path, { headers: { accept: table } })).body).toMatchObject({ kind: 'Table' });
  });

  if (kind !== 'memory') return;

  it('needs the permission to get the object, and no other', async () => {
    await api.post(configMaps, { metadata: { name: 'mine' } });
    await api.post(configMaps, { metadata: { name: 'other' } });
    const access = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await api.post(`${access}/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get'] }],
    });
    await api.post(`${access}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'reader' }],
    });
    const { body } = await api.get(history(`${configMaps}/mine`), as('reader'));
    expect(body.revisions).toHaveLength(1);
    const revision = `revision=${body.revisions[0].revision}`;
    expect((await api.get(`${history(`${configMaps}/mine`)}?${revision}`, as('reader'))).status).toBe(200);
    for (const path of [`${configMaps}/other`, `${configMaps}/other?${revision}`, '/api/v1/nodes/mine']) {
      const refused = await api.get(history(path), as('reader'));
      expect(refused).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
      expect(refused.body.message).toContain('User "reader" cannot get resource');
    }
    expect((await api.get(history(`${configMaps}/mine`), { credentials: false })).status).toBe(401);
  });

  it('an absent object has no revision', async () => {
    const { resourceVersion } = (await api.get(configMaps)).body.metadata;
    const response = await api.get(history(`${configMaps}/absent?revision=${resourceVersion}`));
    expect(response).toMatchObject({ status: 404, body: { message: 'configmaps "absent" not found' } });
  });

  it.each([
    ['GET', `${configMaps}/absent`, 404, 'configmaps "absent" not found'],
    ['GET', configMaps, 404, 'the server could not find the requested resource'],
    ['GET', `${configMaps}?watch=1`, 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/watch/namespaces/default/configmaps/x', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/x/log', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/gadgets/x', 404, 'the server could not find the requested resource'],
    ['POST', configMaps, 404, 'the server could not find the requested resource'],
    ['PUT', `${configMaps}/x`, 405, 'the server does not allow this method on the requested resource'],
    ['DELETE', `${configMaps}/busy`, 405, 'the server does not allow this method on the requested resource'],
    ['GET', `${configMaps}/busy?revision=0`, 400, 'revision must be a positive number'],
    ['GET', `${configMaps}/busy?revision=-1`, 400, 'revision must be a positive number'],
    ['GET', `${configMaps}/busy?revision=x`, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['GET', `${configMaps}/busy?limit=0`, 400, 'limit must be between 1 and 5000'],
    ['GET', `${configMaps}/busy?limit=5001`, 400, 'limit must be between 1 and 5000'],
  ])('%s %s: %i', async (method, path, status, message) => {
    expect(await api.call(method, history(path))).toMatchObject({ status, body: { kind: 'Status', message } });
  });

  it.each(['/version', '/keelson/history/api/v1/namespaces/default', ''])(
    '%j is not a path of history',
    async (path) => {
      expect((await api.get(history(path))).status).toBe(404);
      expect((await api.get(history(path), as('reader'))).status).toBe(403);
    },
  );
});
