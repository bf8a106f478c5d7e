import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { DamagedStore } from './damaged-store.ts';
import { type Damage, damages } from './damages.ts';

const unsafe = { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
const featureGates = 'AllowUnsafeMalformedObjectDeletion=true';

interface Kind {
  readonly resource: string;
  /** Of the API, without the name. */
  readonly path: string;
  /** Of the keys in storage, without the name. */
  readonly prefix: string;
  readonly name?: (index: number) => string;
  readonly object?: (index: number) => object;
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';
const service = { parentRef: { resource: 'services', namespace: 'elsewhere', name: 'x' } };
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };

/** The types without which a server does not start, or does not do its work. */
const kinds: readonly Kind[] = [
  { resource: 'configmaps', path: '/api/v1/namespaces/default/configmaps', prefix: '/registry/configmaps/default/' },
  { resource: 'namespaces', path: '/api/v1/namespaces', prefix: '/registry/namespaces/' },
  {
    resource: 'services',
    path: '/api/v1/namespaces/default/services',
    prefix: '/registry/services/specs/default/',
    object: () => ({ spec: { ports: [{ port: 80 }] } }),
  },
  { resource: 'clusterroles', path: `${rbac}/clusterroles`, prefix: '/registry/clusterroles/' },
  {
    resource: 'clusterrolebindings',
    path: `${rbac}/clusterrolebindings`,
    prefix: '/registry/clusterrolebindings/',
    object: () => ({ roleRef: role }),
  },
  {
    resource: 'priorityclasses',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    prefix: '/registry/priorityclasses/',
    object: (index) => ({ value: index }),
  },
  {
    resource: 'servicecidrs',
    path: `${networking}/servicecidrs`,
    prefix: '/registry/servicecidrs/',
    object: (index) => ({ spec: { cidrs: [`10.${100 + index}.0.0/16`] } }),
  },
  {
    resource: 'ipaddresses',
    path: `${networking}/ipaddresses`,
    prefix: '/registry/ipaddresses/',
    name: (index) => `192.0.2.${index}`,
    object: () => ({ spec: service }),
  },
  {
    resource: 'leases',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    prefix: '/registry/leases/default/',
  },
];

/** Side by side, which is faster. */
const ofEveryKind = (work: (kind: Kind) => Promise<void>) => Promise.all(kinds.map(work));
const nameOf = ({ name = (index) => `d-${index}` }: Kind, index: number): string => name(index);

/** Adds the keys that the log names as corrupt. */
async function start(dataDir: string, logged = new Set<string>()): Promise<TestApi> {
  const error = (message: string, fields?: { readonly key?: string }): void => {
    if (message === 'stored object is corrupt') logged.add(fields?.key ?? '');
  };
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  return TestApi.start({ storage: 'embedded', dataDir, featureGates, log });
}

describe.each([
  ['with checksums', damages, (_store: DamagedStore) => {}],
  [
    'of a release without checksums',
    damages.filter(({ needsChecksum }) => !needsChecksum),
    (store: DamagedStore) => store.forgetChecksums(),
  ],
])('a store %s', (_which, all: readonly Damage[], prepare) => {
  it('starts with every damage in every type, names it, serves the rest, and can be mended', async () => {
    const dataDir = await temporaryDirectory();
    const before = await start(dataDir);
    await ofEveryKind(async (kind) => {
      for (let index = 0; index <= all.length; index++) {
        const object = { metadata: { name: nameOf(kind, index) }, ...kind.object?.(index) };
        expect((await before.post(kind.path, object)).status, `${kind.resource} ${index}`).toBe(200);
      }
    });
    await before.stop();
    const store = new DamagedStore(dataDir);
    prepare(store);
    for (const kind of kinds) {
      for (const [index, damage] of all.entries()) store.damage(kind.prefix + nameOf(kind, index), damage);
    }
    store.close();

    const logged = new Set<string>();
    const api = await start(dataDir, logged);
    onTestFinished(() => api.stop());
    expect((await api.get('/readyz')).text).toBe('ok');
    await ofEveryKind(async (kind) => {
      // The one behind the damaged ones is whole.
      const whole = await api.get(`${kind.path}/${nameOf(kind, all.length)}`);
      expect(whole.status, kind.resource).toBe(200);
      const list = await api.get(kind.path);
      expect(list.body, kind.resource).toMatchObject({ code: 500, reason: 'StorageReadError' });
      for (const [index, { what }] of all.entries()) {
        const name = nameOf(kind, index);
        const key = kind.prefix + name;
        const about = `${kind.resource}: ${what}`;
        const got = await api.get(`${kind.path}/${name}`);
        expect(got.body, about).toMatchObject({ code: 500, reason: 'StorageReadError', details: { name: key } });
        expect(got.body.message, about).toContain(key);
        expect(list.text, about).toContain(`"${key}"`);
        // The lines of other threads may come later.
        await expect.poll(() => logged, { message: about }).toContain(key);
      }
    });
    const listing = (await api.get('/readyz?verbose')).text;
    const line = /\[\+\]stored-objects ok: (\d+) corrupt \((.*)\), see the log\n/.exec(listing);
    expect(line?.[1]).toBe(String(kinds.length * all.length));
    expect(line?.[2]).toContain(`configmaps: ${all.length}`);

    await ofEveryKind(async (kind) => {
      for (const [index, { what }] of all.entries()) {
        const path = `${kind.path}/${nameOf(kind, index)}`;
        const about = `${kind.resource}: ${what}`;
        expect((await api.delete(path, unsafe)).status, about).toBe(200);
        expect((await api.get(path)).status, about).toBe(404);
      }
      expect((await api.get(kind.path)).status, kind.resource).toBe(200);
    });
    expect((await api.get('/readyz?verbose')).text).not.toContain('stored-objects');
  });
});

it('starts although what it makes at every start is damaged, and grants nothing by what it cannot read', async () => {
  const dataDir = await temporaryDirectory();
  await (await start(dataDir)).stop();
  const own: readonly (readonly [key: string, path: string])[] = [
    ['/registry/clusterroles/admin', `${rbac}/clusterroles/admin`],
    ['/registry/clusterroles/system:discovery', `${rbac}/clusterroles/system:discovery`],
    ['/registry/clusterrolebindings/system:discovery', `${rbac}/clusterrolebindings/system:discovery`],
    ['/registry/namespaces/kube-public', '/api/v1/namespaces/kube-public'],
    ['/registry/namespaces/kube-system', '/api/v1/namespaces/kube-system'],
    ['/registry/services/specs/default/kubernetes', '/api/v1/namespaces/default/services/kubernetes'],
    ['/registry/services/endpoints/default/kubernetes', '/api/v1/namespaces/default/endpoints/kubernetes'],
    ['/registry/servicecidrs/kubernetes', `${networking}/servicecidrs/kubernetes`],
    [
      '/registry/priorityclasses/system-node-critical',
      '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
    ],
    [
      '/registry/configmaps/kube-system/extension-apiserver-authentication',
      '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
    ],
  ];
  const store = new DamagedStore(dataDir);
  for (const [key] of own) store.damage(key, { change: (value) => value.subarray(0, -1) });
  store.close();

  const logged = new Set<string>();
  const api = await start(dataDir, logged);
  expect((await api.get('/readyz')).text).toBe('ok');
  for (const [key, path] of own) {
    expect(logged).toContain(key);
    expect((await api.get(path)).body).toMatchObject({ reason: 'StorageReadError' });
  }
  const review = {
    spec: { user: 'somebody', groups: ['system:authenticated'], nonResourceAttributes: { path: '/api', verb: 'get' } },
  };
  const { body } = await api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
  expect(body.status.allowed).toBe(false);
  // The address of the service is known from its IPAddress only, and must not be given to another.
  const { items } = (await api.get(`${networking}/ipaddresses`)).body;
  expect(items).toHaveLength(1);
  for (const [, path] of own) expect((await api.delete(path, unsafe)).status, path).toBe(200);
  await api.stop();
  const mended = await start(dataDir);
  onTestFinished(() => mended.stop());
  for (const [, path] of own) expect((await mended.get(path)).status, path).toBe(200);
});
