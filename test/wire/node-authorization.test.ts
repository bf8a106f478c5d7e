import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ApiResponse, type Call, TestApi } from './api.ts';

type NodeName = 'n1' | 'n2';
const tokens: Readonly<Record<NodeName, string>> = { n1: 'token-of-the-first', n2: 'token-of-the-second' };
const space = '/api/v1/namespaces/shop';
const containers = [{ name: 'c', image: 'registry.example/c:1' }];

let api: TestApi;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-nodes-'));
  const tokenAuthFile = join(directory, 'tokens.csv');
  const line = (node: NodeName) => `${tokens[node]},system:node:${node},uid-${node},system:nodes\n`;
  await writeFile(tokenAuthFile, `${line('n1')}${line('n2')}janes,jane,3\n`);
  api = await TestApi.start({ tokenAuthFile, authorizationMode: ['Node', 'RBAC'], postCreateStatus: 201 });
  await api.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await api.post(`${space}/serviceaccounts`, { metadata: { name: 'bot' } });
  for (const name of ['used', 'unused', 'later', 'disk-key']) {
    await api.post(`${space}/secrets`, { metadata: { name } });
    await api.post(`${space}/configmaps`, { metadata: { name } });
  }
  for (const name of ['n1', 'n2']) await api.post('/api/v1/nodes', { metadata: { name } });
  await pod('front', 'n1', {
    serviceAccountName: 'bot',
    containers: [{ ...containers[0], envFrom: [{ secretRef: { name: 'used' } }, { configMapRef: { name: 'used' } }] }],
    volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
  });
  await pod('back', 'n2', { serviceAccountName: 'bot' });
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

async function pod(name: string, nodeName: string | undefined, spec: object = {}): Promise<ApiResponse> {
  const response = await api.post(`${space}/pods`, { metadata: { name }, spec: { containers, nodeName, ...spec } });
  expect(response.status, response.text).toBe(201);
  return response;
}

function as(node: NodeName, method: string, path: string, call: Call = {}): Promise<ApiResponse> {
  const type: Record<string, string> = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const headers = { authorization: `Bearer ${tokens[node]}`, ...type, ...call.headers };
  return api.call(method, path, { ...call, credentials: false, headers });
}

async function isRefused(response: Promise<ApiResponse>, message: string): Promise<void> {
  const { status, body } = await response;
  expect(body).toMatchObject({ kind: 'Status', reason: 'Forbidden', code: 403 });
  expect(status).toBe(403);
  expect(body.message).toContain(message);
}

const unrelated = (node: NodeName) => `no relationship found between node '${node}' and this object`;

describe('a node reads', () => {
  it.each(['secrets/used', 'configmaps/used', 'pods/front'])('%s of its own pod', async (path) => {
    expect((await as('n1', 'GET', `${space}/${path}`)).status).toBe(200);
    await isRefused(as('n2', 'GET', `${space}/${path}`), unrelated('n2'));
  });

  it('what a watch of one object shows', async () => {
    const selected = `${space}/secrets?fieldSelector=metadata.name%3Dused`;
    expect((await as('n1', 'GET', selected)).body.items).toHaveLength(1);
    await isRefused(as('n2', 'GET', selected), unrelated('n2'));
    await isRefused(as('n1', 'GET', `${space}/secrets`), 'No Object name found');
    await isRefused(as('n1', 'GET', '/api/v1/secrets'), 'can only read namespaced object of this type');
  });

  it('what its pods use, from the moment when they are bound until they are gone', async () => {
    await pod('moving', undefined, { imagePullSecrets: [{ name: 'later' }] });
    await isRefused(as('n2', 'GET', `${space}/secrets/later`), unrelated('n2'));
    const binding = { metadata: { name: 'moving' }, target: { kind: 'Node', name: 'n2' } };
    expect((await api.post(`${space}/pods/moving/binding`, binding)).status).toBe(201);
    expect((await as('n2', 'GET', `${space}/secrets/later`)).status).toBe(200);
    await isRefused(as('n1', 'GET', `${space}/secrets/later`), unrelated('n1'));
    expect((await api.delete(`${space}/pods/moving?gracePeriodSeconds=0`)).status).toBe(200);
    await isRefused(as('n2', 'GET', `${space}/secrets/later`), unrelated('n2'));
  });

  it('volumes of its pods and the secrets to mount them', async () => {
    const resources = { requests: { storage: '1Gi' } };
    const claim = {
      metadata: { name: 'disk' },
      spec: { accessModes: ['ReadWriteOnce'], resources, volumeName: 'pv1' },
    };
    expect((await api.post(`${space}/persistentvolumeclaims`, claim)).status).toBe(201);
    await isRefused(as('n1', 'GET', '/api/v1/persistentvolumes/pv1'), unrelated('n1'));
    const volume = await api.post('/api/v1/persistentvolumes', {
      metadata: { name: 'pv1' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'shop', name: 'disk' },
        csi: { driver: 'd.example', volumeHandle: 'h', nodeStageSecretRef: { namespace: 'shop', name: 'disk-key' } },
      },
    });
    expect(volume.status, volume.text).toBe(201);
    const paths = [
      '/api/v1/persistentvolumes/pv1',
      `${space}/persistentvolumeclaims/disk`,
      `${space}/secrets/disk-key`,
    ];
    for (const path of paths) {
      expect((await as('n1', 'GET', path)).status).toBe(200);
      await isRefused(as('n2', 'GET', path), unrelated('n2'));
    }
    const status = { status: { capacity: { storage: '1Gi' } } };
    expect((await as('n1', 'PATCH', `${paths[1]}/status`, { body: status })).status).toBe(200);
    await isRefused(as('n2', 'PATCH', `${paths[1]}/status`, { body: status }), unrelated('n2'));
    const more = { metadata: { labels: { a: 'b' } } };
    await isRefused(
      as('n1', 'PATCH', `${paths[1]}/status`, { body: more }),
      'is not allowed to update fields other than status.quantity and status.conditions: metadata.labels',
    );
  });

  it('its pods and itself, and not those of others', async () => {
    const { body: mine } = await as('n2', 'GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2');
    expect(mine.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['back']);
    const only = 'can only list/watch pods with spec.nodeName field selector';
    await isRefused(as('n1', 'GET', '/api/v1/pods'), only);
    await isRefused(as('n1', 'GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2'), only);
    expect((await as('n1', 'GET', '/api/v1/nodes/n1')).status).toBe(200);
    expect((await as('n1', 'GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn1')).body.items).toHaveLength(1);
    await isRefused(as('n1', 'GET', '/api/v1/nodes/n2'), "node 'n1' cannot read 'n2', only its own Node object");
    await isRefused(as('n1', 'GET', '/api/v1/nodes'), "node 'n1' cannot read all nodes, only its own Node object");
    expect((await as('n1', 'GET', '/api/v1/services')).status).toBe(200);
    await isRefused(as('n1', 'GET', '/apis/apps/v1/deployments'), 'cannot list resource "deployments"');
  });
});

describe('a node writes', () => {
  it('the state of its pods', async () => {
    const body = { status: { phase: 'Running' } };
    expect((await as('n1', 'PATCH', `${space}/pods/front/status`, { body })).status).toBe(200);
    await isRefused(
      as('n2', 'PATCH', `${space}/pods/front/status`, { body }),
      'pods "front" is forbidden: node "n2" can only update pod status for pods with spec.nodeName set to itself',
    );
    const labels = { metadata: { labels: { a: 'b' } } };
    await isRefused(as('n1', 'PATCH', `${space}/pods/front/status`, { body: labels }), 'cannot update labels through');
  });

  it('mirror pods', async () => {
    const { uid } = (await api.get('/api/v1/nodes/n1')).body.metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true }];
    const annotations = { 'kubernetes.io/config.mirror': 'hash' };
    const mirror = { metadata: { name: 'mirror', annotations, ownerReferences }, spec: { containers, nodeName: 'n1' } };
    await isRefused(
      as('n2', 'POST', `${space}/pods`, { body: mirror }),
      'can only create pods with spec.nodeName set to',
    );
    const plain = { ...mirror, metadata: { name: 'mirror', ownerReferences } };
    await isRefused(as('n1', 'POST', `${space}/pods`, { body: plain }), 'node "n1" can only create mirror pods');
    const greedy = { ...mirror, spec: { ...mirror.spec, imagePullSecrets: [{ name: 'unused' }] } };
    await isRefused(as('n1', 'POST', `${space}/pods`, { body: greedy }), 'can not create pods that reference secrets');
    const made = await as('n1', 'POST', `${space}/pods`, { body: mirror });
    expect(made.status, made.text).toBe(201);
    await isRefused(as('n1', 'PATCH', `${space}/pods/mirror`, { body: {} }), 'cannot patch resource "pods"');
    await isRefused(
      as('n2', 'DELETE', `${space}/pods/mirror`),
      'pods "mirror" is forbidden: node "n2" can only delete pods with spec.nodeName set to itself',
    );
    expect((await as('n1', 'DELETE', `${space}/pods/mirror?gracePeriodSeconds=0`)).status).toBe(200);
    expect((await api.get(`${space}/pods/mirror`)).status).toBe(404);
  });

  it('evictions of its pods', async () => {
    await pod('evicted', 'n1');
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } };
    const path = `${space}/pods/evicted/eviction`;
    await isRefused(as('n2', 'POST', path, { body }), 'node n2 can only evict pods with spec.nodeName set to itself');
    expect((await as('n1', 'POST', path, { body })).status).toBe(201);
  });

  it('itself', async () => {
    const path = '/api/v1/nodes/n1';
    const labels = (key: string) => ({ body: { metadata: { labels: { [key]: 'x' } } } });
    expect((await as('n1', 'PATCH', path, labels('topology.kubernetes.io/zone'))).status).toBe(200);
    expect((await as('n1', 'PATCH', `${path}/status`, { body: { status: { phase: 'Running' } } })).status).toBe(200);
    await isRefused(
      as('n1', 'PATCH', path, labels('node-restriction.kubernetes.io/x')),
      'nodes "n1" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/x',
    );
    const taints = { body: { spec: { taints: [] } } };
    await isRefused(
      as('n1', 'PATCH', path, taints),
      'nodes "n1" is forbidden: node "n1" is not allowed to modify taints',
    );
    await isRefused(as('n1', 'PATCH', `${path}/status`, taints), 'node "n1" is not allowed to modify taints');
    await isRefused(as('n2', 'PATCH', path, { body: {} }), 'node "n2" is not allowed to modify node "n1"');
    await isRefused(as('n1', 'DELETE', path), 'cannot delete resource "nodes"');
    const created = { body: { metadata: { name: 'n3' } } };
    await isRefused(as('n1', 'POST', '/api/v1/nodes', created), 'node "n1" is not allowed to modify node "n3"');
  });

  it('its lease and its drivers', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const lease = (name: string) => ({ body: { metadata: { name }, spec: { holderIdentity: name } } });
    const same = 'can only access node lease with the same name as the requesting node';
    expect((await as('n1', 'POST', leases, lease('n1'))).status).toBe(201);
    expect((await as('n1', 'PATCH', `${leases}/n1`, { body: { spec: { leaseTransitions: 1 } } })).status).toBe(200);
    await isRefused(as('n2', 'POST', leases, lease('n3')), same);
    await isRefused(as('n2', 'GET', `${leases}/n1`), same);
    await isRefused(as('n2', 'DELETE', `${leases}/n1`), same);
    expect((await as('n1', 'DELETE', `${leases}/n1`)).status).toBe(200);
    const drivers = '/apis/storage.k8s.io/v1/csinodes';
    const csiNode = (name: string) => ({ body: { metadata: { name }, spec: { drivers: [] } } });
    expect((await as('n1', 'POST', drivers, csiNode('n1'))).status).toBe(201);
    await isRefused(as('n1', 'POST', drivers, csiNode('n2')), 'can only access CSINode with the same name');
  });

  it('the slices of its devices', async () => {
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    const slice = (nodeName: string) => ({
      body: {
        metadata: { name: `slice-${nodeName}` },
        spec: {
          nodeName,
          driver: 'd.example',
          pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
          devices: [],
        },
      },
    });
    const made = await as('n1', 'POST', slices, slice('n1'));
    expect(made.status, made.text).toBe(201);
    await isRefused(as('n1', 'POST', slices, slice('n2')), 'can only create ResourceSlice with the same NodeName');
    expect((await as('n2', 'POST', slices, slice('n2'))).status).toBe(201);
    await isRefused(as('n2', 'GET', `${slices}/slice-n1`), unrelated('n2'));
    const selected = (node: string) => `${slices}?fieldSelector=spec.nodeName%3D${node}`;
    expect((await as('n1', 'GET', selected('n1'))).body.items).toHaveLength(1);
    await isRefused(as('n1', 'DELETE', selected('n2')), 'resourceslices with nodeName field selector');
    expect((await as('n1', 'DELETE', selected('n1'))).status).toBe(200);
    expect((await api.get(slices)).body.items).toHaveLength(1);
  });

  it('tokens for its pods', async () => {
    const path = `${space}/serviceaccounts/bot/token`;
    const volumes = [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }];
    const { uid } = (await pod('talker', 'n1', { serviceAccountName: 'bot', volumes })).body.metadata;
    const bound = { apiVersion: 'v1', kind: 'Pod', name: 'talker', uid };
    const requestToken = (node: NodeName, spec: object) => as(node, 'POST', path, { body: { spec } });
    const made = await requestToken('n1', { boundObjectRef: bound });
    expect(made.status, made.text).toBe(201);
    await isRefused(
      requestToken('n1', {}),
      'serviceaccounts "bot" is forbidden: node requested token not bound to a pod',
    );
    await isRefused(
      requestToken('n2', { boundObjectRef: bound }),
      'node requested token bound to a pod scheduled on a different node',
    );
    const audience = { boundObjectRef: bound, audiences: ['vault'] };
    await isRefused(
      requestToken('n1', audience),
      'audience "vault" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
    );
    const rules = [{ apiGroups: [''], resources: ['vault'], verbs: ['request-serviceaccounts-token-audience'] }];
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await api.post(`${rbac}/clusterroles`, { metadata: { name: 'vault' }, rules });
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'vault' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'vault' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }],
    });
    expect((await requestToken('n1', audience)).status).toBe(201);
    const other = as('n1', 'POST', `${space}/serviceaccounts/default/token`, {
      body: { spec: { boundObjectRef: bound } },
    });
    await isRefused(other, unrelated('n1'));
  });

  it('requests for its own certificate', async () => {
    const request = async (name: string, commonName: string) => ({
      metadata: { name },
      spec: {
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        request: await certificateRequest(`CN=${commonName},O=system:nodes`),
        usages: ['digital signature', 'client auth'],
      },
    });
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const own = await as('n1', 'POST', path, { body: await request('own', 'system:node:n1') });
    expect(own.status, own.text).toBe(201);
    await isRefused(
      as('n1', 'POST', path, { body: await request('others', 'system:node:n2') }),
      'certificatesigningrequests.certificates.k8s.io "others" is forbidden: can only create a node CSR with CN=system:node:n1',
    );
  });
});

it('others are not restricted, and permissions of nodes are not listed', async () => {
  const { status } = await api.patch('/api/v1/nodes/n2', {
    metadata: { labels: { 'node-restriction.kubernetes.io/a': 'b' } },
  });
  expect(status).toBe(200);
  const body = { spec: { namespace: 'shop' } };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { body: review } = await as('n1', 'POST', path, { body });
  expect(review.status).toMatchObject({
    incomplete: true,
    evaluationError: 'node authorizer does not support user rule resolution',
  });
  const jane = { credentials: false, headers: { authorization: 'Bearer janes' } };
  const hers = await api.post(path, body, jane);
  expect(hers.body.status.incomplete).toBe(false);
});

it('begins when a changed configuration says so', async () => {
  const authorizationConfig = join(directory, 'authorization.yaml');
  const configuration = (...types: string[]) => {
    const authorizers = types.map((type) => ({ type, name: type.toLowerCase() }));
    const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers };
    return writeFile(authorizationConfig, JSON.stringify(document));
  };
  await configuration('AlwaysAllow');
  const other = await TestApi.start({ tokenAuthFile: join(directory, 'tokens.csv'), authorizationConfig });
  onTestFinished(() => other.stop());
  await other.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await other.post(`${space}/secrets`, { metadata: { name: 'used' } });
  const spec = { containers, nodeName: 'n1', imagePullSecrets: [{ name: 'used' }] };
  await other.post(`${space}/pods`, { metadata: { name: 'early' }, spec });
  const call = (node: NodeName) => ({ credentials: false, headers: { authorization: `Bearer ${tokens[node]}` } });
  const node = { metadata: { name: 'n9' } };
  expect((await other.post('/api/v1/nodes?dryRun=All', node, call('n1'))).status).toBe(200);
  await configuration('Node', 'RBAC');
  await vi.waitFor(async () => {
    expect((await other.get(`${space}/secrets/used`, call('n2'))).status).toBe(403);
    expect((await other.get(`${space}/secrets/used`, call('n1'))).status).toBe(200);
  });
  const { body } = await other.post('/api/v1/nodes?dryRun=All', node, call('n1'));
  expect(body.message).toBe('nodes "n9" is forbidden: node "n1" is not allowed to modify node "n9"');
});

async function certificateRequest(name: string): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(signingAlgorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm });
  return Buffer.from(request.toString('pem')).toString('base64');
}
