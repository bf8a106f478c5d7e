import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../../../authz/index.ts';
import type { ObjectMeta, ResourceObject } from '../../../meta/object.ts';
import type { ObjectReader } from '../../../meta/object-reader.ts';
import { StatusError } from '../../../meta/status-error.ts';
import type { AdmissionRequest } from '../../admission-request.ts';
import { mutateWith, testRequest, testTarget } from '../../test-request.conformance.ts';
import { nodeRestriction } from './node-restriction.ts';

const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const n1 = user('system:node:n1', 'system:nodes');
const mirror = { 'kubernetes.io/config.mirror': 'x' };

const old: Readonly<Record<string, ResourceObject>> = {
  'nodes//n1': { metadata: { name: 'n1', uid: 'uid-1' } },
  'pods/a/mine': {
    metadata: { name: 'mine', namespace: 'a', uid: 'uid-mine' },
    spec: {
      nodeName: 'n1',
      volumes: [
        { name: 'api', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        { name: 'vault', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } },
        { name: 'inline', csi: { driver: 'inline.example' } },
        { name: 'claimed', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'made', ephemeral: { volumeClaimTemplate: {} } },
        { name: 'disk', awsElasticBlockStore: { volumeID: 'v' } },
        { name: 'plain', emptyDir: {} },
      ],
    },
  },
  'pods/a/broken': {
    metadata: { name: 'broken', namespace: 'a', uid: 'uid-broken' },
    spec: {
      nodeName: 'n1',
      volumes: [
        { name: 'v', persistentVolumeClaim: { claimName: 'none' } },
        { name: 'w', csi: { driver: 'none.example' } },
        { name: 'api', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      ],
    },
  },
  'pods/a/other': { metadata: { name: 'other', namespace: 'a', uid: 'uid-other' }, spec: { nodeName: 'n2' } },
  'pods/a/identified': {
    metadata: { name: 'identified', namespace: 'a', uid: 'uid-identified' },
    spec: { nodeName: 'n1', serviceAccountName: 'bot' },
  },
  'pods/a/shown': {
    metadata: { name: 'shown', namespace: 'a', uid: 'uid-shown', annotations: mirror },
    spec: { nodeName: 'n1' },
  },
  'serviceaccounts/a/bot': { metadata: { name: 'bot', namespace: 'a', uid: 'uid-bot' } },
  'persistentvolumeclaims/a/data': { metadata: { name: 'data' }, spec: { volumeName: 'pv-data' } },
  'persistentvolumeclaims/a/mine-made': { metadata: { name: 'mine-made' }, spec: { volumeName: 'pv-disk' } },
  'persistentvolumes//pv-data': { metadata: { name: 'pv-data' }, spec: { csi: { driver: 'claimed.example' } } },
  'persistentvolumes//pv-disk': { metadata: { name: 'pv-disk' }, spec: { gcePersistentDisk: {} } },
  ...Object.fromEntries(
    ['inline.example', 'claimed.example', 'pd.csi.storage.gke.io', 'ebs.csi.aws.com'].map((name) => [
      `csidrivers//${name}`,
      { metadata: { name }, spec: { tokenRequests: [{ audience: `for-${name}` }] } },
    ]),
  ),
};
const objects: ObjectReader = {
  get: ({ resource }, { namespace, name }) => old[`${resource}/${namespace}/${name}`],
  list: () => [],
};
const grants: Authorizer = {
  authorize: ({ user: by, verb, resource }) => {
    const isGranted = verb === 'request-serviceaccounts-token-audience' && resource?.resource === 'granted';
    if (resource?.resource === 'unsure') return { decision: 'no-opinion', reason: '', error: new Error('no answer') };
    return { decision: isGranted && by === n1 && resource?.name === 'bot' ? 'allow' : 'no-opinion', reason: '' };
  },
};

interface WriteOptions {
  readonly by?: AdmissionRequest['user'];
  readonly before?: ResourceObject;
  readonly name?: string;
  readonly operation?: AdmissionRequest['operation'];
  readonly isOn?: boolean;
}

/** `path`: `group/resource[/subresource]`. Returns the text of the rejection. Undefined when there is none. */
async function rejectionOf(
  path: string,
  object: ResourceObject,
  options: WriteOptions = {},
): Promise<string | undefined> {
  const { by = n1, before, isOn = true } = options;
  const { operation = before === undefined ? 'CREATE' : 'UPDATE', name = object.metadata.name ?? '' } = options;
  const plugin = nodeRestriction({
    authorizer: grants,
    isOn: () => isOn,
    commonNameOf: (request) => {
      if (request === 'broken') throw new Error('PEM block type must be CERTIFICATE REQUEST');
      return request;
    },
  });
  const { namespace = '' } = object.metadata;
  const write = { operation, namespace, name, user: by, object, oldObject: before };
  try {
    await mutateWith(plugin, testRequest(testTarget(path), write), objects);
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect([403, 404]).toContain(error.status.code);
    return error.message;
  }
}

const named = (name: string, more: Partial<ResourceObject> = {}, meta: ObjectMeta = {}): ResourceObject => ({
  ...more,
  metadata: { name, ...meta },
});

it('applies to nodes only, and only when node authorization is on', async () => {
  for (const by of [user('jane', 'system:nodes'), user('system:node:n1'), user('admin', 'system:masters')]) {
    expect(await rejectionOf('/nodes', named('n2'), { by })).toBeUndefined();
  }
  expect(await rejectionOf('/nodes', named('n2'), { isOn: false })).toBeUndefined();
  expect(await rejectionOf('/nodes', named('n2'))).toBe(
    'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
  );
  expect(await rejectionOf('/nodes', named('n2'), { by: user('system:node:', 'system:nodes') })).toBe(
    'nodes "n2" is forbidden: could not determine node from user "system:node:"',
  );
});

describe('a pod', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-1', controller: true };
  const pod = (spec: object = {}, meta: ObjectMeta = {}): ResourceObject => ({
    metadata: { name: 'p', namespace: 'a', annotations: mirror, ownerReferences: [owner], ...meta },
    spec: { nodeName: 'n1', containers: [{ name: 'c' }], ...spec },
  });
  const volume = (source: object) => pod({ volumes: [{ name: 'v', ...source }] });
  const projected = (source: object) => volume({ projected: { sources: [{ downwardAPI: {} }, source] } });
  const owned = (changes: object) => pod({}, { ownerReferences: [{ ...owner, ...changes }] });
  const references = (what: string) => `node "n1" can not create pods that reference ${what}`;
  const ownReference = 'node "n1" can only create pods with an owner reference set to itself';

  it('is created by its node if it is a mirror pod', async () => {
    expect(await rejectionOf('/pods', pod())).toBeUndefined();
    expect(await rejectionOf('/pods', volume({ hostPath: { path: '/' } }))).toBeUndefined();
    expect(await rejectionOf('/pods', projected({ downwardAPI: {} }))).toBeUndefined();
  });

  it.each<[string, ResourceObject]>([
    [
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
      pod({}, { annotations: {} }),
    ],
    ['node "n1" can only create pods with spec.nodeName set to itself', pod({ nodeName: 'n2' })],
    ['node "n1" can only create pods with spec.nodeName set to itself', pod({ nodeName: undefined })],
    [
      'node "n1" can only create pods with a single owner reference set to itself',
      pod({}, { ownerReferences: [owner, owner] }),
    ],
    [ownReference, pod({}, { ownerReferences: [] })],
    [ownReference, owned({ name: 'n2' })],
    [ownReference, owned({ kind: 'Pod' })],
    [ownReference, owned({ apiVersion: 'v2' })],
    [
      'node "n1" can only create pods with a controller owner reference set to itself',
      owned({ controller: undefined }),
    ],
    ['node "n1" must not set blockOwnerDeletion on an owner reference', owned({ blockOwnerDeletion: true })],
    ['node n1 UID mismatch: expected uid-9 got uid-1', owned({ uid: 'uid-9' })],
    [references('serviceaccounts'), pod({ serviceAccountName: 'default' })],
    [references('secrets'), pod({ imagePullSecrets: [{ name: 's' }] })],
    [references('secrets'), projected({ secret: { name: 's' } })],
    [references('secrets (via projected volumes)'), projected({ secret: {} })],
    [references('configmaps'), volume({ configMap: { name: 'c' } })],
    [references('configmaps (via configmap volumes)'), volume({ configMap: {} })],
    [references('resourceclaims'), pod({ resourceClaims: [{ name: 'r' }] })],
    [references('csidrivers (via CSI volumes)'), volume({ csi: { driver: 'd' } })],
    [references('endpoints (via glusterFS volumes)'), volume({ glusterfs: {} })],
    [references('persistentvolumeclaims'), volume({ persistentVolumeClaim: { claimName: 'c' } })],
    [references('persistentvolumeclaims (via ephemeral volumes)'), volume({ ephemeral: {} })],
    [references('serviceaccounts (via projected volumes)'), projected({ serviceAccountToken: {} })],
    [references('clustertrustbundles'), projected({ clusterTrustBundle: {} })],
    [references('podcertificates'), projected({ podCertificate: {} })],
    ['error checking mirror pod for API references: unknown source for projected volume "v"', projected({})],
  ])('is not made: %s', async (detail, object) => {
    expect(await rejectionOf('/pods', object)).toBe(`pods "p" is forbidden: ${detail}`);
  });

  it('is not created before its node', async () => {
    const object = { ...owned({ name: 'n3' }), spec: { nodeName: 'n3' } };
    expect(await rejectionOf('/pods', object, { by: user('system:node:n3', 'system:nodes') })).toBe(
      'node "n3" not found',
    );
  });

  it('is deleted by its node, and not changed', async () => {
    const deleting = (before: ResourceObject) => rejectionOf('/pods', before, { before, operation: 'DELETE' });
    expect(await deleting(old['pods/a/mine']!)).toBeUndefined();
    expect(await deleting(old['pods/a/other']!)).toBe(
      'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
    );
    expect(await rejectionOf('/pods', pod(), { before: pod() })).toBe(
      'pods "p" is forbidden: unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    );
    for (const subresource of ['binding', 'ephemeralcontainers', 'resize']) {
      expect(await rejectionOf(`/pods/${subresource}`, pod(), { before: pod() })).toBe(
        `pods "p" is forbidden: unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`,
      );
    }
  });

  const claims = [{ name: 'r', resourceClaimName: 'made' }];
  const before = { ...pod(), status: { phase: 'Pending', resourceClaimStatuses: claims } };
  it.each<[string | undefined, Partial<ResourceObject>, ResourceObject]>([
    [undefined, { status: { phase: 'Running', resourceClaimStatuses: claims } }, before],
    ['node "n1" can only update pod status for pods with spec.nodeName set to itself', {}, pod({ nodeName: 'n2' })],
    ['node "n1" cannot update labels through pod status', pod({}, { labels: { a: 'b' } }), before],
    ['node "n1" cannot update resource claim statues', { status: { resourceClaimStatuses: [] } }, before],
    [
      'node "n1" cannot update resource claim statues',
      { status: { resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'other' }] } },
      before,
    ],
    [
      'node "n1" cannot update extended resource claim status',
      { status: { resourceClaimStatuses: claims, extendedResourceClaimStatus: { resourceClaimName: 'x' } } },
      before,
    ],
  ])('has its status reported: %s', async (detail, changes, old) => {
    const message = await rejectionOf('/pods/status', { ...old, ...changes }, { before: old });
    expect(message).toBe(detail && `pods "p" is forbidden: ${detail}`);
  });

  it('is evicted by its node', async () => {
    const evict = (name: string) => rejectionOf('/pods/eviction', named(name, {}, { namespace: 'a' }), { name });
    expect(await evict('mine')).toBeUndefined();
    expect(await evict('other')).toBe(
      'pods "other" is forbidden: node n1 can only evict pods with spec.nodeName set to itself',
    );
    expect(await evict('gone')).toBe('pod "gone" not found');
  });
});

describe('a node', () => {
  const node = (labels: Record<string, string> = {}, spec: object = {}) => named('n1', { spec }, { labels });
  const taints = [{ key: 'k', effect: 'NoSchedule' }];
  const restricted = {
    'node-restriction.kubernetes.io/x': '1',
    'a.node-restriction.kubernetes.io/x': '1',
    'kubernetes.io/unknown': '1',
    'x.k8s.io/y': '1',
    'node-role.kubernetes.io/master': '',
  };
  const list =
    'a.node-restriction.kubernetes.io/x, kubernetes.io/unknown, node-restriction.kubernetes.io/x, node-role.kubernetes.io/master, x.k8s.io/y';
  const free = {
    'kubernetes.io/hostname': 'n1',
    'topology.kubernetes.io/zone': 'z',
    'node.kubernetes.io/instance-type': 't',
    'x.node.kubernetes.io/y': '1',
    'kubelet.kubernetes.io/z': '1',
    'example.com/w': '1',
    plain: '1',
    'mykubernetes.io/v': '1',
  };

  it.each<[string | undefined, ResourceObject, ResourceObject | undefined]>([
    [undefined, node(free, { taints }), undefined],
    [`node "n1" is not allowed to set the following labels: ${list}`, node({ ...free, ...restricted }), undefined],
    [
      'node "n1" is not allowed to create pods with a non-nil configSource',
      node({}, { configSource: { configMap: {} } }),
      undefined,
    ],
    [undefined, node({ ...free, ...restricted }), node(restricted)],
    [`is not allowed to modify labels: ${list}`, node(free), node(restricted)],
    ['is not allowed to modify labels: x.k8s.io/y', node({ ...restricted, 'x.k8s.io/y': '2' }), node(restricted)],
    ['node "n1" is not allowed to modify taints', node(), node({}, { taints })],
    ['node "n1" is not allowed to modify taints', node({}, { taints }), node()],
    [undefined, node({}, { taints: [] }), node()],
    [undefined, node(), node({}, { configSource: {} })],
    [
      'node "n1" is not allowed to update configSource to a new non-nil configSource',
      node({}, { configSource: { configMap: {} } }),
      node({}, { configSource: {} }),
    ],
  ])('is written by itself: %s', async (detail, object, before) => {
    const message = await rejectionOf('/nodes', object, { ...(before && { before }) });
    expect(message).toBe(detail && `nodes "n1" is forbidden: ${detail}`);
    if (before !== undefined) expect(await rejectionOf('/nodes/status', object, { before })).toBe(message);
  });

  it('cannot write other nodes', async () => {
    const before = named('n2');
    const detail = 'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"';
    expect(await rejectionOf('/nodes/status', before, { before })).toBe(detail);
    expect(await rejectionOf('/nodes', before, { before, operation: 'DELETE' })).toBe(detail);
    expect(await rejectionOf('/nodes', { metadata: { generateName: 'n' } })).toBe(
      'nodes "n" is forbidden: node "n1" is not allowed to modify node ""',
    );
    expect(await rejectionOf('/nodes', node(), { before: node(), operation: 'DELETE' })).toBeUndefined();
  });
});

it('a node writes only the reported fields of a claim status', async () => {
  const claim = (status: object, meta: ObjectMeta = {}) =>
    named('c', { spec: { volumeName: 'v' }, status }, { namespace: 'a', uid: 'u', resourceVersion: '1', ...meta });
  const before = claim({ phase: 'Bound', capacity: { storage: '1Gi' } });
  const report = {
    phase: 'Bound',
    capacity: { storage: '2Gi' },
    conditions: [{}],
    allocatedResources: {},
    allocatedResourceStatuses: {},
  };
  const path = '/persistentvolumeclaims/status';
  const meta = { resourceVersion: '', managedFields: [{}] };
  expect(await rejectionOf(path, claim(report, meta), { before })).toBeUndefined();
  const only = 'node "n1" is not allowed to update fields other than status.quantity and status.conditions';
  expect(await rejectionOf(path, claim({ ...report, phase: 'Lost' }, { labels: { a: 'b' } }), { before })).toBe(
    `persistentvolumeclaims "c" is forbidden: ${only}: metadata.labels, status.phase`,
  );
  expect(await rejectionOf(path, { ...before, spec: {} }, { before })).toContain(`${only}: spec.volumeName`);
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
    expect(await rejectionOf('/persistentvolumeclaims', before, { before, operation })).toBe(
      'persistentvolumeclaims "c" is forbidden: may only update PVC status',
    );
  }
});

describe('objects named after the node', () => {
  const lease = 'can only access node lease with the same name as the requesting node';
  const csi = 'can only access CSINode with the same name as the requesting node';
  it.each<[string, string, string, string | undefined]>([
    ['coordination.k8s.io/leases', 'kube-node-lease', 'n1', undefined],
    ['coordination.k8s.io/leases', 'kube-node-lease', 'n2', `leases.coordination.k8s.io "n2" is forbidden: ${lease}`],
    [
      'coordination.k8s.io/leases',
      'a',
      'n1',
      'leases.coordination.k8s.io "n1" is forbidden: can only access leases in the "kube-node-lease" system namespace',
    ],
    ['storage.k8s.io/csinodes', '', 'n1', undefined],
    ['storage.k8s.io/csinodes', '', 'n2', `csinodes.storage.k8s.io "n2" is forbidden: ${csi}`],
  ])('%s %s/%s', async (path, namespace, name, message) => {
    const object = named(name, {}, { namespace });
    for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const) {
      expect(await rejectionOf(path, object, { operation, before: object })).toBe(message);
    }
  });

  it('a slice that is on it', async () => {
    const slice = (nodeName?: string) => named('s', { spec: { nodeName } });
    const path = 'resource.k8s.io/resourceslices';
    const text = (verb: string) =>
      `resourceslices.resource.k8s.io "s" is forbidden: can only ${verb} ResourceSlice with the same NodeName as the requesting node`;
    expect(await rejectionOf(path, slice('n1'))).toBeUndefined();
    expect(await rejectionOf(path, slice('n2'))).toBe(text('create'));
    expect(await rejectionOf(path, slice())).toBe(text('create'));
    expect(await rejectionOf(path, slice('n1'), { before: slice('n1'), operation: 'DELETE' })).toBeUndefined();
    expect(await rejectionOf(path, slice('n2'), { before: slice('n2'), operation: 'DELETE' })).toBe(text('delete'));
  });

  it.each<[string, string, string | undefined]>([
    ['kubernetes.io/kubelet-serving', 'system:node:n1', undefined],
    [
      'kubernetes.io/kube-apiserver-client-kubelet',
      'system:node:n2',
      'can only create a node CSR with CN=system:node:n1',
    ],
    ['kubernetes.io/kubelet-serving', '', 'can only create a node CSR with CN=system:node:n1'],
    ['kubernetes.io/kubelet-serving', 'broken', 'unable to parse csr: PEM block type must be CERTIFICATE REQUEST'],
    ['example.com/other', 'broken', undefined],
  ])('a certificate: %s %s', async (signerName, request, detail) => {
    const path = 'certificates.k8s.io/certificatesigningrequests';
    const object = named('r', { spec: { signerName, request } });
    expect(await rejectionOf(path, object)).toBe(
      detail && `${path.split('/')[1]}.certificates.k8s.io "r" is forbidden: ${detail}`,
    );
    expect(await rejectionOf(path, object, { before: object })).toBeUndefined();
  });
});

describe('a certificate for a pod', () => {
  const spec = {
    nodeName: 'n1',
    nodeUID: 'uid-1',
    podName: 'identified',
    podUID: 'uid-identified',
    serviceAccountName: 'bot',
    serviceAccountUID: 'uid-bot',
  };
  const request = (changes: object = {}) => ({
    metadata: { name: 'r', namespace: 'a' },
    spec: { ...spec, ...changes },
  });
  const path = 'certificates.k8s.io/podcertificaterequests';
  const refusal = (detail: string) => `podcertificaterequests.certificates.k8s.io "r" is forbidden: ${detail}`;

  it('may be requested', async () => {
    expect(await rejectionOf(path, request())).toBeUndefined();
  });

  it.each([
    [{ nodeName: 'n2' }, 'PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1"'],
    [{ nodeUID: 'x' }, 'PodCertificateRequest contains nodeUID "x" that differs from the UID in record "uid-1"'],
    [{ podUID: 'x' }, 'PodCertificateRequest contains podUID "x" that differs from the UID in record "uid-identified"'],
    [{ podName: 'shown', podUID: 'uid-shown' }, 'PodCertificateRequest for pod "shown" is for a mirror pod'],
    [
      { podName: 'other', podUID: 'uid-other' },
      'PodCertificateRequest for pod "other" is for a pod that does not run on node "n1"',
    ],
    [
      { serviceAccountName: 'root' },
      'PodCertificateRequest for pod "identified" contains serviceAccountName "root" that differs from running pod "bot"',
    ],
    [
      { serviceAccountUID: 'x' },
      'PodCertificateRequest contains serviceAccountUID "x" that differs from the UID in record "uid-bot"',
    ],
  ])('is not with %j', async (changes, detail) => {
    expect(await rejectionOf(path, request(changes))).toBe(refusal(detail));
  });

  it('requires an existing pod, and is immutable', async () => {
    expect(await rejectionOf(path, request({ podName: 'none' }))).toBe('pod "none" not found');
    expect(await rejectionOf(path, request(), { before: request() })).toBe(refusal('unexpected operation "UPDATE"'));
  });
});

describe('a token', () => {
  const mine = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'uid-mine' };
  const request = (boundObjectRef: object | undefined, audiences?: readonly string[]) =>
    rejectionOf(
      '/serviceaccounts/token',
      { metadata: { namespace: 'a' }, spec: { boundObjectRef, audiences } },
      { name: 'bot' },
    );
  const notBound = 'node requested token not bound to a pod';

  it.each<[string | undefined, object | undefined, string[]?]>([
    [undefined, mine],
    [undefined, mine, ['vault']],
    [undefined, mine, ['for-inline.example']],
    [undefined, mine, ['for-claimed.example']],
    [undefined, mine, ['for-pd.csi.storage.gke.io']],
    [undefined, mine, ['for-ebs.csi.aws.com']],
    [undefined, mine, ['granted']],
    [notBound, undefined],
    [notBound, { ...mine, kind: 'Node' }],
    [notBound, { ...mine, apiVersion: 'v2' }],
    [notBound, { ...mine, name: '' }],
    ['node requested token with a pod binding without a uid', { ...mine, uid: '' }],
    [
      'the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
      { ...mine, uid: 'x' },
    ],
    ['node requested token bound to a pod scheduled on a different node', { ...mine, name: 'other', uid: 'uid-other' }],
    ['node may only request 0 or 1 audiences', mine, ['vault', '']],
    [
      'audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience',
      mine,
      ['other'],
    ],
    [
      'audience "unsure" not found in pod spec volume, error authorizing system:node:n1 to request tokens for this audience: no answer',
      mine,
      ['unsure'],
    ],
    [undefined, { ...mine, name: 'broken', uid: 'uid-broken' }],
    [
      'error validating audience "vault": [persistentvolumeclaim "none" not found, csidriver.storage.k8s.io "none.example" not found]',
      { ...mine, name: 'broken', uid: 'uid-broken' },
      ['vault'],
    ],
  ])('is for a pod on the node: %s %j %j', async (detail, bound, audiences) => {
    expect(await request(bound, audiences)).toBe(detail && `serviceaccounts "bot" is forbidden: ${detail}`);
  });

  it('requires an existing pod', async () => {
    expect(await request({ ...mine, name: 'gone' })).toBe('pod "gone" not found');
  });
});
