import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';
import { warningsOf } from './warnings-of.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({
    runtimeConfig: 'api/all=true',
    controllers: ['namespace-controller', 'garbage-collector-controller', 'podgroup-protection-controller'],
  });
});
afterAll(() => api.stop());

const claims = (version: string): string => `/apis/resource.k8s.io/${version}/namespaces/default/resourceclaims`;
const flat = (name: string) => ({
  metadata: { name },
  spec: { devices: { requests: [{ name: 'gpu', deviceClassName: 'gpus' }] } },
});
const exact = { deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 1 };

const groups = async (server: TestApi): Promise<Record<string, string[]>> => {
  const { body } = await server.get('/apis');
  return Object.fromEntries(
    body.groups.map(({ name, versions }: { name: string; versions: { version: string }[] }) => [
      name,
      versions.map(({ version }) => version),
    ]),
  );
};

describe('a server without the option', () => {
  it('has no trace of them', async () => {
    const plain = await TestApi.start();
    try {
      expect(Object.values(await groups(plain)).flat()).not.toContainEqual(expect.stringMatching(/alpha|beta/));
      const aggregated = await plain.get('/apis', {
        headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
      });
      expect(aggregated.text).not.toMatch(/"version":"v\d(alpha|beta)/);
      expect((await plain.get('/openapi/v3')).text).not.toMatch(/v\d(alpha|beta)\d/);
      expect((await plain.get(claims('v1beta1'))).status).toBe(404);
      const { body } = await plain.post(claims('v1'), {
        apiVersion: 'resource.k8s.io/v1beta1',
        kind: 'ResourceClaim',
        ...flat('other'),
      });
      expect(body.message).toContain(
        'the API version in the data (resource.k8s.io/v1beta1) does not match the expected API version (resource.k8s.io/v1)',
      );
    } finally {
      await plain.stop();
    }
  });

  it('says what it does not know', async () => {
    await expect(TestApi.start({ runtimeConfig: 'resource.k8s.io/v1beta9=true' })).rejects.toThrow(
      'unknown or unsupported group version in the runtime configuration: resource.k8s.io/v1beta9',
    );
  });
});

describe('discovery', () => {
  it('names all versions, the stable ones first', async () => {
    const served = await groups(api);
    expect(served['resource.k8s.io']).toEqual(['v1', 'v1beta2', 'v1beta1', 'v1alpha3']);
    expect(served['certificates.k8s.io']).toEqual(['v1', 'v1beta1', 'v1alpha1']);
    expect(served['internal.apiserver.k8s.io']).toEqual(['v1alpha1']);
    expect(Object.keys(served).at(-1)).toBe('storagemigration.k8s.io');
    const { body } = await api.get('/apis/resource.k8s.io');
    expect(body.preferredVersion.version).toBe('v1');
  });

  it('lists their resources with the hash of the stored version', async () => {
    const { body } = await api.get('/apis/resource.k8s.io/v1beta2');
    const listed = body.resources.map((one: { name: string; storageVersionHash?: string }) =>
      [one.name, one.storageVersionHash].join(' ').trim(),
    );
    expect(listed).toEqual([
      'deviceclasses Yk2PTc1Ybxk=',
      'devicetaintrules DJ3UJ0fj8MI=',
      'devicetaintrules/status',
      'resourceclaims wgAZaHcZxUg=',
      'resourceclaims/status',
      'resourceclaimtemplates TuzjC49aUfM=',
      'resourceslices KsC072WgaEY=',
    ]);
  });

  it('knows single resources', async () => {
    const some = await TestApi.start({ runtimeConfig: 'certificates.k8s.io/v1beta1/clustertrustbundles=true' });
    try {
      const { body } = await some.get('/apis/certificates.k8s.io/v1beta1');
      expect(body.resources.map(({ name }: { name: string }) => name)).toEqual(['clustertrustbundles']);
      expect((await some.get('/apis/certificates.k8s.io/v1beta1/podcertificaterequests')).status).toBe(404);
    } finally {
      await some.stop();
    }
  });

  it('is in OpenAPI', async () => {
    const { body } = await api.get('/openapi/v3/apis/resource.k8s.io/v1beta1');
    const schema = body.components.schemas['io.k8s.api.resource.v1beta1.DeviceRequest'];
    expect(Object.keys(schema.properties)).toContain('deviceClassName');
    expect(body.components.schemas['io.k8s.api.resource.v1beta1.Device'].properties.basic).toBeDefined();
    expect(Object.keys(body.paths)).toContain('/apis/resource.k8s.io/v1beta1/resourceslices/{name}');
  });
});

describe('an object in several versions', () => {
  it('is written in one and read in the others', async () => {
    const made = await api.post(claims('v1beta1'), flat('read'));
    expect(made.body.spec.devices.requests).toEqual([{ name: 'gpu', ...exact }]);
    for (const version of ['v1', 'v1beta2']) {
      const { body } = await api.get(`${claims(version)}/read`);
      expect(body.apiVersion).toBe(`resource.k8s.io/${version}`);
      expect(body.spec.devices.requests).toEqual([{ name: 'gpu', exactly: exact }]);
      const { items } = (await api.get(claims(version))).body;
      expect(items.map((item: { spec: object }) => item.spec)).toContainEqual(body.spec);
    }
    const { body: stable } = await api.get(`${claims('v1')}/read`);
    const labelled = await api.put(`${claims('v1')}/read`, {
      ...stable,
      metadata: { ...stable.metadata, labels: { a: 'b' } },
    });
    expect(labelled.status).toBe(200);
    const { body } = await api.get(`${claims('v1beta1')}/read`);
    expect([body.metadata.labels, body.spec.devices.requests]).toEqual([{ a: 'b' }, [{ name: 'gpu', ...exact }]]);
    // Writing the object as it was read changes nothing.
    expect((await api.put(`${claims('v1beta1')}/read`, body)).body).toEqual(body);
  });

  it('is watched in each of them', async () => {
    const watches = await Promise.all(
      ['v1beta1', 'v1'].map((version) => api.watch(`${claims(version)}?watch=1&fieldSelector=metadata.name=watched`)),
    );
    await api.post(claims('v1'), {
      metadata: { name: 'watched' },
      spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus' } }] } },
    });
    const [old, stable] = await Promise.all(watches.map((watch) => watch.next()));
    for (const watch of watches) watch.close();
    expect(old!.object.spec.devices.requests).toEqual([{ name: 'gpu', ...exact }]);
    expect(stable!.object.spec.devices.requests).toEqual([{ name: 'gpu', exactly: exact }]);
    expect([old!.object.apiVersion, stable!.object.apiVersion]).toEqual([
      'resource.k8s.io/v1beta1',
      'resource.k8s.io/v1',
    ]);
  });

  it('is patched in its own shape', async () => {
    await api.post(claims('v1beta1'), flat('patched'));
    const { body } = await api.patch(`${claims('v1beta1')}/patched`, { metadata: { labels: { x: 'y' } } }, 'strategic');
    expect(body.spec.devices.requests[0].deviceClassName).toBe('gpus');
    const refused = await api.patch(
      `${claims('v1beta1')}/patched`,
      [{ op: 'replace', path: '/spec/devices/requests/0/count', value: 2 }],
      'json',
    );
    expect([refused.status, refused.body.details.causes[0].field]).toEqual([422, 'spec']);
  });

  it('has the owners of all of them', async () => {
    const slice = (version: string) => `/apis/resource.k8s.io/${version}/resourceslices/applied`;
    const spec = { driver: 'd.example.org', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, allNodes: true };
    const apply = (version: string, manager: string, fields: object) =>
      applyAs(api, manager, {
        path: slice(version),
        body: {
          apiVersion: `resource.k8s.io/${version}`,
          kind: 'ResourceSlice',
          metadata: { name: 'applied' },
          spec: { ...spec, ...fields },
        },
      });
    const devices = [{ name: 'a', basic: { attributes: { size: { int: 1 } } } }];
    expect((await apply('v1beta1', 'm', { devices })).status).toBe(201);
    const same = await apply('v1', 'n', { devices: [{ name: 'a', attributes: { size: { int: 1 } } }] });
    expect(same.body.message ?? same.status).toBe(200);
    expect(ownersOf(same.body).map((line: string) => line.split(':')[0])).toEqual(['m', 'n']);
    const conflict = await apply('v1', 'n', { devices: [{ name: 'b' }] });
    expect(conflict.body.message).toBe('Apply failed with 1 conflict: conflict with "m": .spec.devices');
    const entries = same.body.metadata.managedFields.map(
      ({ manager, apiVersion }: { manager: string; apiVersion: string }) => `${manager} ${apiVersion}`,
    );
    expect(entries.toSorted()).toEqual(['m resource.k8s.io/v1beta1', 'n resource.k8s.io/v1']);
  });

  it.each([
    ['resource.k8s.io/v1beta1', 'deviceclasses', 'DeviceClass', 'v1.35+, unavailable in v1.38+'],
    ['resource.k8s.io/v1beta2', 'resourceslices', 'ResourceSlice', 'v1.36+, unavailable in v1.39+'],
    [
      'storage.k8s.io/v1beta1',
      'volumeattributesclasses',
      'VolumeAttributesClass',
      'v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass',
    ],
  ])('warns about the deprecation of %s %s', async (apiVersion, resource, kind, text) => {
    const response = await api.get(`/apis/${apiVersion}/${resource}`);
    expect(warningsOf(response.headers)).toEqual([`${apiVersion} ${kind} is deprecated in ${text}`]);
    const { headers } = await api.get(`/apis/${apiVersion.replace(/v1\w+/, 'v1')}/${resource}`);
    expect(warningsOf(headers)).toEqual([]);
  });
});

const identity = {
  sources: [
    { clusterTrustBundle: { signerName: 'example.org/roots', path: 'roots.pem' } },
    { podCertificate: { signerName: 'example.org/pods', keyType: 'ED25519', credentialBundlePath: 'own.pem' } },
  ],
};
const pod = (name: string) => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'identity', projected: identity }],
    schedulingGroup: { podGroupName: 'gang' },
  },
});
const podsPath = '/api/v1/namespaces/default/pods';
const referencesOf = ({ spec }: { spec: ReturnType<typeof pod>['spec'] }) => [
  spec.volumes[0]!.projected.sources,
  spec.schedulingGroup,
];

describe('a pod that refers to objects of the new kinds', () => {
  it('keeps the references where the kinds are served', async () => {
    const { body } = await api.post(podsPath, pod('refers'));
    expect(referencesOf(body)).toEqual([identity.sources, { podGroupName: 'gang' }]);
    const template = await api.post('/api/v1/namespaces/default/podtemplates', {
      metadata: { name: 'refers' },
      template: { spec: pod('').spec },
    });
    expect(referencesOf(template.body.template)).toEqual(referencesOf(body));
  });

  it('loses them where nothing else is asked for', async () => {
    const plain = await TestApi.start({ runtimeConfig: 'certificates.k8s.io/v1alpha1=true' });
    try {
      const { body } = await plain.post(podsPath, pod('refers'));
      expect(referencesOf(body)).toEqual([[identity.sources[0], {}], undefined]);
    } finally {
      await plain.stop();
    }
  });

  it('says what is wrong with them', async () => {
    const wrong = pod('wrong');
    const sources = [
      { clusterTrustBundle: { name: 'a:b', path: '../x' } },
      { podCertificate: { signerName: 'x', keyType: 'RSA2048', maxExpirationSeconds: 1 } },
    ];
    const { status, body } = await api.post(podsPath, {
      ...wrong,
      spec: { ...wrong.spec, volumes: [{ name: 'identity', projected: { sources } }], schedulingGroup: {} },
    });
    expect(status).toBe(422);
    const at = 'spec.volumes[0].projected.sources';
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      `${at}[0].clusterTrustBundlePEM.name`,
      `${at}[0].clusterTrustBundlePEM.path`,
      `${at}[1].podCertificate.signerName`,
      `${at}[1].podCertificate.keyType`,
      `${at}[1].podCertificate.maxExpirationSeconds`,
      `${at}[1].podCertificate`,
      'spec.schedulingGroup',
    ]);
  });
});

it('a lease candidate may have a finalizer without a domain, like a lease', async () => {
  const { status, body } = await api.post('/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates', {
    metadata: { name: 'finalized', finalizers: ['mine'] },
    spec: { leaseName: 'l', binaryVersion: '1.36.0', strategy: 'ex.io/any' },
  });
  expect(status, body.message).toBe(200);
});

describe('a version that is switched off', () => {
  it('leaves its objects and their owners for later', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'keelson-optional-'));
    const start = (runtimeConfig: string) => TestApi.start({ storage: 'embedded', dataDir, runtimeConfig });
    const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
    try {
      const on = await start('api/all=true');
      await on.post(candidates, {
        metadata: { name: 'c' },
        spec: { leaseName: 'l', binaryVersion: '1.36.0', strategy: 'ex.io/any' },
      });
      const body = { apiVersion: 'resource.k8s.io/v1beta1', kind: 'ResourceClaim', ...flat('kept') };
      await applyAs(on, 'm', { path: `${claims('v1beta1')}/kept`, body });
      await on.post(podsPath, pod('kept'));
      await on.stop();

      const off = await start('');
      const labelled = await off.patch(`${podsPath}/kept`, { metadata: { labels: { a: 'b' } } });
      expect(labelled.body.message ?? referencesOf(labelled.body)).toEqual([
        identity.sources,
        { podGroupName: 'gang' },
      ]);
      expect((await off.get(candidates)).status).toBe(404);
      const conflict = await applyAs(off, 'n', {
        path: `${claims('v1')}/kept`,
        body: {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'ResourceClaim',
          metadata: { name: 'kept' },
          spec: { devices: { requests: [{ name: 'other', exactly: { deviceClassName: 'gpus' } }] } },
        },
      });
      expect(conflict.body.message).toBe('Apply failed with 1 conflict: conflict with "m": .spec.devices.requests');
      await off.stop();

      const again = await start('coordination.k8s.io/v1alpha2=true');
      const found = await again.get(candidates.replace('v1beta1', 'v1alpha2'));
      expect(found.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['c']);
      await again.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('the controllers', () => {
  it('know the new kinds', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'doomed' } });
    const groupsPath = '/apis/scheduling.k8s.io/v1alpha2/namespaces/doomed/podgroups';
    const owner = await api.post('/api/v1/namespaces/doomed/configmaps', { metadata: { name: 'owner' } });
    const spec = { schedulingPolicy: { basic: {} } };
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.body.metadata.uid }];
    await api.post(groupsPath, { metadata: { name: 'owned', ownerReferences }, spec });
    await api.post(groupsPath, { metadata: { name: 'free' }, spec });
    const watch = await api.watch(`${groupsPath}?watch=1`);
    expect(await watch.take(2)).toEqual(['ADDED free', 'ADDED owned']);
    await api.delete('/api/v1/namespaces/doomed/configmaps/owner');
    expect(await watch.take(2)).toEqual(['MODIFIED owned', 'DELETED owned']);
    await api.delete('/api/v1/namespaces/doomed');
    expect(await watch.take(2)).toEqual(['MODIFIED free', 'DELETED free']);
    watch.close();
  });
});
