import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';
import { DamagedStore } from './damaged-store.ts';
import { type Damage, damages } from './damages.ts';

const unsafe = { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } };
const featureGates = 'AllowUnsafeMalformedObjectDeletion=true';

interface Kind {
  readonly resource: string;
  /** The path in the API, without the name. */
  readonly path: string;
  /** The prefix of the keys in storage, without the name. */
  readonly prefix: string;
  readonly name?: (index: number) => string;
  readonly object?: (index: number) => object;
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const apiServiceKeys = '/registry/apiregistration.k8s.io/apiservices/';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const service = { parentRef: { resource: 'services', namespace: 'elsewhere', name: 'x' } };
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };

/** Types that a server needs for its start or its work. */
const usedKinds: readonly Kind[] = [
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

const definitions: Kind = {
  resource: 'customresourcedefinitions',
  path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  prefix: '/registry/apiextensions.k8s.io/customresourcedefinitions/',
  name: (index) => `d${index}s.example.com`,
  object: (index) => ({
    spec: {
      group: 'example.com',
      names: { plural: `d${index}s`, kind: `D${index}` },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }),
};

/** Types that configure what a server serves, and to whom. */
const configuringKinds: readonly Kind[] = [
  definitions,
  {
    resource: 'apiservices',
    path: apiServices,
    prefix: apiServiceKeys,
    name: (index) => `v1.d-${index}.example.com`,
    object: (index) => ({
      spec: { group: `d-${index}.example.com`, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
    }),
  },
  {
    resource: 'flowschemas',
    path: `${flowControl}/flowschemas`,
    prefix: '/registry/flowschemas/',
    object: () => ({ spec: { priorityLevelConfiguration: { name: 'workload-low' } } }),
  },
  {
    resource: 'prioritylevelconfigurations',
    path: `${flowControl}/prioritylevelconfigurations`,
    prefix: '/registry/prioritylevelconfigurations/',
    object: () => ({ spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } }),
  },
  {
    resource: 'validatingwebhookconfigurations',
    path: `${admission}/validatingwebhookconfigurations`,
    prefix: '/registry/validatingwebhookconfigurations/',
  },
  {
    resource: 'validatingadmissionpolicies',
    path: `${admission}/validatingadmissionpolicies`,
    prefix: '/registry/validatingadmissionpolicies/',
    object: () => ({
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
        },
        validations: [{ expression: 'false' }],
      },
    }),
  },
];

/** Handles all kinds at the same time, which is faster. */
const ofEvery = (kinds: readonly Kind[], work: (kind: Kind) => Promise<void>) => Promise.all(kinds.map(work));
const objectOf = (kind: Kind, index: number) => ({ metadata: { name: nameOf(kind, index) }, ...kind.object?.(index) });
const nameOf = ({ name = (index) => `d-${index}` }: Kind, index: number): string => name(index);

/** Starts a server. Adds the keys that the log reports as corrupt to `logged`. */
async function start(dataDir: string, logged = new Set<string>(), options: ServerOptions = {}): Promise<TestApi> {
  const error = (message: string, fields?: { readonly key?: string }): void => {
    if (message === 'stored object is corrupt') logged.add(fields?.key ?? '');
  };
  const log = { info: () => {}, error, flush: () => Promise.resolve() };
  return TestApi.start({ storage: 'embedded', dataDir, featureGates, log, ...options });
}

describe.each([
  ['with checksums', damages, (_store: DamagedStore) => {}],
  [
    'of a release without checksums',
    damages.filter(({ needsChecksum }) => !needsChecksum),
    (store: DamagedStore) => store.forgetChecksums(),
  ],
])('a store %s', (_which, all: readonly Damage[], prepare) => {
  it.each([
    ['that is used', usedKinds],
    ['that configures it', configuringKinds],
  ])('starts with every damage in every type %s, names it, serves the rest, and can be mended', async (_, kinds) => {
    const dataDir = await temporaryDirectory();
    const before = await start(dataDir);
    await ofEvery(kinds, async (kind) => {
      for (let index = 0; index <= all.length; index++) {
        expect((await before.post(kind.path, objectOf(kind, index))).status, `${kind.resource} ${index}`).toBe(200);
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
    await ofEvery(kinds, async (kind) => {
      // The object after the damaged ones is intact.
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
        // Other threads may write their log lines later.
        await expect.poll(() => logged, { message: about }).toContain(key);
      }
    });
    const listing = (await api.get('/readyz?verbose')).text;
    const line = /\[\+\]stored-objects ok: (\d+) corrupt \((.*)\), see the log\n/.exec(listing);
    expect(line?.[1]).toBe(String(kinds.length * all.length));
    expect(line?.[2]).toContain(`${kinds.at(-1)!.resource}: ${all.length}`);

    await ofEvery(kinds, async (kind) => {
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
    [`${apiServiceKeys}v1.apps`, `${apiServices}/v1.apps`],
    ['/registry/flowschemas/catch-all', `${flowControl}/flowschemas/catch-all`],
    ['/registry/flowschemas/probes', `${flowControl}/flowschemas/probes`],
    ['/registry/prioritylevelconfigurations/exempt', `${flowControl}/prioritylevelconfigurations/exempt`],
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
  // The address of the service is only known from its IPAddress and must not be assigned to another service.
  const { items } = (await api.get(`${networking}/ipaddresses`)).body;
  expect(items).toHaveLength(1);
  for (const [, path] of own) expect((await api.delete(path, unsafe)).status, path).toBe(200);
  await api.stop();
  const mended = await start(dataDir);
  onTestFinished(() => mended.stop());
  for (const [, path] of own) expect((await mended.get(path)).status, path).toBe(200);
});

it('is healthy whatever the damage of its own APIServices, and creates them again when they are deleted', async () => {
  const dataDir = await temporaryDirectory();
  // There are more kinds of damage than versions that are served by default.
  const options = { runtimeConfig: 'api/all=true' };
  const before = await start(dataDir, new Set(), options);
  expect((await before.post(definitions.path, objectOf(definitions, 0))).status).toBe(200);
  await vi.waitFor(async () => expect((await before.get(`${apiServices}/v1.example.com`)).status).toBe(200));
  const { items } = (await before.get(apiServices)).body as { items: { metadata: { name: string } }[] };
  const groups = (await before.get('/apis')).body;
  await before.stop();
  const damaged = damages.map((damage, index) => ({ ...damage, name: items[index]!.metadata.name }));
  expect(damaged.map(({ name }) => name)).toEqual(expect.arrayContaining(['v1.', 'v1.apps', 'v1.example.com']));
  const store = new DamagedStore(dataDir);
  for (const damage of damaged) store.damage(apiServiceKeys + damage.name, damage);
  store.close();

  const api = await start(dataDir, new Set(), options);
  onTestFinished(() => api.stop());
  const expectHealth = async (about: string): Promise<void> => {
    for (const path of ['/readyz', '/livez', '/healthz']) {
      expect((await api.get(path)).text, `${path} ${about}`).toBe('ok');
    }
  };
  await expectHealth('with the damage');
  const { text: listing } = await api.get('/readyz?verbose');
  expect(listing).toContain(`(apiregistration.k8s.io/apiservices: ${damages.length})`);
  // The types are served although their APIServices are corrupt.
  expect((await api.get('/apis/apps/v1/deployments')).status).toBe(200);
  for (const { name, what } of damaged) {
    expect((await api.delete(`${apiServices}/${name}`, unsafe)).status, what).toBe(200);
    await expectHealth(`after the deletion: ${what}`);
  }
  for (const { name, what } of damaged) {
    const conditions = async (): Promise<unknown> => (await api.get(`${apiServices}/${name}`)).body.status?.conditions;
    await expect
      .poll(conditions, { message: what })
      .toEqual([expect.objectContaining({ type: 'Available', status: 'True' })]);
  }
  await expectHealth('in the end');
  expect((await api.get('/readyz?verbose')).text).not.toContain('stored-objects');
  expect((await api.get(apiServices)).body.items).toHaveLength(items.length);
  expect((await api.get('/apis')).body).toEqual(groups);
});
