import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const qualifiedName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/** One finding in the causes. The message contains it as `field: message`. */
interface Finding {
  readonly field: string;
  readonly message: string;
  readonly reason?: string;
}

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' };

it.each<[string, Record<string, unknown>, Finding[]]>([
  [
    'a name with capitals',
    { name: 'Bad_Name' },
    [{ field: 'metadata.name', message: `Invalid value: "Bad_Name": ${subdomain}` }],
  ],
  [
    'a name that is too long',
    { name: 'x'.repeat(254) },
    [{ field: 'metadata.name', message: `Invalid value: "${'x'.repeat(254)}": must be no more than 253 characters` }],
  ],
  [
    'a bad prefix for a name',
    { generateName: 'Bad-' },
    [
      { field: 'metadata.generateName', message: `Invalid value: "Bad-": ${subdomain}` },
      {
        field: 'metadata.name',
        message: expect.stringMatching(/^Invalid value: "Bad-[a-z0-9]{5}": a lowercase RFC 1123 subdomain/),
      },
    ],
  ],
  [
    'a bad label value',
    { name: 'x', labels: { k: 'not ok' } },
    [{ field: 'metadata.labels', message: `Invalid value: "not ok": ${labelValue}` }],
  ],
  [
    'a label value that is too long',
    { name: 'x', labels: { k: 'v'.repeat(64) } },
    [{ field: 'metadata.labels', message: `Invalid value: "${'v'.repeat(64)}": must be no more than 63 bytes` }],
  ],
  [
    'a bad label key',
    { name: 'x', labels: { '-k': 'v' } },
    [{ field: 'metadata.labels', message: `Invalid value: "-k": ${qualifiedName}` }],
  ],
  [
    'a bad prefix of a label key',
    { name: 'x', labels: { 'Bad_Domain/k': 'v' } },
    [{ field: 'metadata.labels', message: `Invalid value: "Bad_Domain/k": prefix part ${subdomain}` }],
  ],
  [
    'a bad annotation key',
    { name: 'x', annotations: { 'not ok': '' } },
    [{ field: 'metadata.annotations', message: `Invalid value: "not ok": ${qualifiedName}` }],
  ],
  [
    'annotations that are too large',
    { name: 'x', annotations: { k: 'v'.repeat(262_144) } },
    [
      {
        field: 'metadata.annotations',
        message: 'Too long: may not be more than 262144 bytes',
        reason: 'FieldValueTooLong',
      },
    ],
  ],
  [
    'a bare finalizer',
    { name: 'x', finalizers: ['mine'] },
    [
      {
        field: 'metadata.finalizers[0]',
        message: 'Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      },
    ],
  ],
  [
    'finalizers that contradict each other',
    { name: 'x', finalizers: ['orphan', 'foregroundDeletion'] },
    [
      {
        field: 'metadata.finalizers',
        message:
          'Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      },
    ],
  ],
  [
    'an owner of nothing',
    { name: 'x', ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
    [
      { field: 'metadata.ownerReferences.apiVersion', message: 'Invalid value: "": version must not be empty' },
      { field: 'metadata.ownerReferences.kind', message: 'Invalid value: "": must not be empty' },
      { field: 'metadata.ownerReferences.name', message: 'Invalid value: "": must not be empty' },
      { field: 'metadata.ownerReferences.uid', message: 'Invalid value: "": must not be empty' },
    ],
  ],
  [
    'two controllers',
    {
      name: 'x',
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, name: 'q', uid: 'w', controller: true },
      ],
    },
    [
      {
        field: 'metadata.ownerReferences',
        message: expect.stringContaining(
          'Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
        ),
      },
    ],
  ],
  [
    'several mistakes at once',
    { name: 'No', labels: { k: ' ' }, finalizers: ['mine'] },
    [
      { field: 'metadata.name', message: `Invalid value: "No": ${subdomain}` },
      { field: 'metadata.labels', message: `Invalid value: " ": ${labelValue}` },
      {
        field: 'metadata.finalizers[0]',
        message: 'Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      },
    ],
  ],
])('a new object is refused for %s', async (_what, metadata, findings) => {
  const { status, body } = await api.post(configMaps, { metadata });
  expect(status).toBe(422);
  expect(body).toMatchObject({ kind: 'Status', reason: 'Invalid', code: 422 });
  expect(body.details).toEqual({
    ...(body.details.name !== undefined && { name: expect.any(String) }),
    kind: 'ConfigMap',
    causes: findings.map(({ field, message, reason = 'FieldValueInvalid' }) => ({ reason, message, field })),
  });
  const texts = (body.details.causes as Finding[]).map(({ field, message }) => `${field}: ${message}`);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  expect(body.message).toBe(`ConfigMap "${body.details.name ?? ''}" is invalid: ${all}`);
});

it.each([
  ['/api/v1/namespaces', 'Namespace', 'a.b', 'must not contain dots'],
  ['/api/v1/namespaces', 'Namespace', 'A', label],
  ['/api/v1/namespaces', 'Namespace', 'x'.repeat(64), 'must be no more than 63 characters'],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'ClusterRole', 'a/b', "may not contain '/'"],
  ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'ClusterRole', '..', "may not be '..'"],
])('names follow the rule of their type: %s %s %s', async (path, kind, name, detail) => {
  const { status, body } = await api.post(path, { metadata: { name } });
  expect(status).toBe(422);
  const group = kind === 'ClusterRole' ? '.rbac.authorization.k8s.io' : '';
  expect(body.message).toContain(`${kind}${group} "${name}" is invalid: `);
  expect(body.details.causes).toContainEqual({
    reason: 'FieldValueInvalid',
    message: `Invalid value: "${name}": ${detail}`,
    field: 'metadata.name',
  });
});

describe('an update', () => {
  it.each<[string, Record<string, unknown>, number, string]>([
    ['another uid', { uid: 'other' }, 409, 'Precondition failed: UID in precondition: other, UID in object meta: '],
    [
      'a deletion time',
      { deletionTimestamp: '2030-01-01T00:00:00Z' },
      422,
      'metadata.deletionTimestamp: Invalid value: "2030-01-01T00:00:00Z": field is immutable',
    ],
    [
      'a bad label',
      { labels: { k: ' ' } },
      422,
      `ConfigMap "changing" is invalid: metadata.labels: Invalid value: " ": ${labelValue}`,
    ],
  ])('is refused for %s', async (_what, metadata, code, message) => {
    await api.post(configMaps, { metadata: { name: 'changing' } });
    const { status, body } = await api.put(`${configMaps}/changing`, { metadata: { name: 'changing', ...metadata } });
    expect(status).toBe(code);
    expect(body.message).toContain(message);
  });

  it('keeps what only the server may change', async () => {
    const made = (await api.post(configMaps, { metadata: { name: 'kept' } })).body;
    const { status, body } = await api.put(`${configMaps}/kept`, {
      metadata: { name: 'kept', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7, selfLink: '/x' },
    });
    expect(status).toBe(200);
    expect(body).toEqual(made);
  });
});

describe('metadata of a write', () => {
  const path = '/api/v1/namespaces/default/configmaps';

  it('compares the uid first, and names the key, in a dry run without the prefix of the store', async () => {
    await api.post(path, { metadata: { name: 'with-uid' } });
    const metadata = { name: 'with-uid', uid: 'x', resourceVersion: '999999999' };
    for (const [query, key] of [
      ['', '/registry/configmaps/default/with-uid'],
      ['?dryRun=All', '/configmaps/default/with-uid'],
    ]) {
      const { status, body } = await api.put(`${path}/with-uid${query}`, { metadata });
      expect([status, body.message]).toEqual([409, expect.stringContaining(`Key: ${key}, ResourceVersion: 0,`)]);
    }
  });

  it('checks generateName again when the type validates the whole metadata', async () => {
    await api.post(path, { metadata: { name: 'prefixed' } });
    const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
    await api.post(policies, { metadata: { name: 'prefixed' }, spec: { podSelector: {} } });
    const patch = { metadata: { generateName: 'A' } };
    expect((await api.patch(`${path}/prefixed`, patch)).body.details?.causes[0].field).toBe('metadata.generateName');
    expect((await api.patch(`${policies}/prefixed`, patch)).status).toBe(200);
  });

  it('says that no name could be generated, even when the name was given', async () => {
    await api.post(path, { metadata: { name: 'given' } });
    const { status, body } = await api.post(path, { metadata: { name: 'given', generateName: 'g-' } });
    expect([status, body.message]).toEqual([409, expect.stringContaining('was not able to generate a unique name')]);
  });

  it('gives nobody the ownership of fields that a create drops', async () => {
    const metadata = { name: 'dropped', deletionGracePeriodSeconds: 5, deletionTimestamp: '2024-01-01T00:00:00Z' };
    const { body } = await api.post(`${path}?dryRun=All`, { metadata });
    expect(body.metadata.managedFields).toBeUndefined();
  });

  it('shows what only storing would remove in a dry run', async () => {
    const created = await api.post(`${path}?dryRun=All`, { metadata: { name: 'dry', resourceVersion: 'x' } });
    expect(created.body.metadata.resourceVersion).toBe('x');
    await api.post(path, { metadata: { name: 'dry' } });
    const linked = await api.patch(`${path}/dry?dryRun=All`, { metadata: { selfLink: '/x' } });
    expect(linked.body.metadata.selfLink).toBe('/x');
    const stored = await api.patch(`${path}/dry`, { metadata: { selfLink: '/x' } });
    expect(stored.body.metadata.selfLink).toBeUndefined();
  });

  it('warns about repeated owners of a patch as after admission', async () => {
    await api.post(path, { metadata: { name: 'owned' } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const { headers } = await api.patch(`${path}/owned?dryRun=All`, { metadata: { ownerReferences: [owner, owner] } });
    expect(headers.warning).toContain('after mutating admission happens');
  });

  it('reports the metadata of an event only when nothing else is wrong', async () => {
    const events = '/api/v1/namespaces/default/events';
    const metadata = { name: 'odd', ownerReferences: [{}] };
    const fields = async (namespace: string): Promise<string[]> => {
      const { body } = await api.post(events, { metadata, involvedObject: { namespace } });
      return body.details.causes.map(({ field }: { field: string }) => field);
    };
    expect(await fields('other')).toEqual(['involvedObject.namespace']);
    expect(await fields('default')).toContain('metadata.ownerReferences.kind');
  });

  it('checks the name of a replication controller, not its prefix', async () => {
    const { body } = await api.post('/api/v1/namespaces/default/replicationcontrollers', {
      metadata: { name: 'r', generateName: 'R' },
    });
    expect(body.details.causes.map(({ field }: { field: string }) => field)).not.toContain('metadata.generateName');
  });
});
