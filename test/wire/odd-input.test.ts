import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { TestApi } from './api.ts';
import { ownersOf } from './field-owners.ts';
import { warningsOf } from './warnings-of.ts';

const space = '/namespaces/default';
const pods = `/api/v1${space}/pods`;
const maps = `/api/v1${space}/configmaps`;
const deployments = `/apis/apps/v1${space}/deployments`;
const jobs = `/apis/batch/v1${space}/jobs`;
const autoscalers = `/apis/autoscaling/v2${space}/horizontalpodautoscalers`;
const claims = `/apis/resource.k8s.io/v1${space}/resourceclaims`;
const containers = [{ name: 'c', image: 'example.com/c:1' }];

/** Sends a merge patch, which shows the effect of an empty value on an object without the field. */
const merge = (path: string, body: object) => api.patch(path, body, 'merge');

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers } };
  await api.post(deployments, { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } });
  await api.post(pods, { metadata: { name: 'plain' }, spec: { containers } });
  await api.post(maps, { metadata: { name: 'fixed' }, immutable: true, data: { a: 'b' } });
  await api.post(jobs, {
    metadata: { name: 'work' },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  });
});
afterAll(() => api.stop());

describe('an empty list or map is not the same as none', () => {
  test.each<[string, string, object, string]>([
    [
      'labels of a template',
      `${deployments}/web`,
      { spec: { template: { metadata: { labels: { app: null } } } } },
      '{}',
    ],
    ['labels of a template', `${deployments}/web`, { spec: { template: { metadata: { labels: null } } } }, 'null'],
  ])('in the message about the %s', async (_what, path, patch, shown) => {
    const { status, body } = await merge(path, patch);
    expect(status).toBe(422);
    expect(body.details.causes[0].message).toBe(
      `Invalid value: ${shown}: \`selector\` does not match template \`labels\``,
    );
  });

  it('for a config map that cannot be changed', async () => {
    const { status, body } = await merge(`${maps}/fixed`, { binaryData: {} });
    expect(status).toBe(422);
    expect(body.details.causes).toEqual([
      {
        reason: 'FieldValueForbidden',
        message: 'Forbidden: field is immutable when `immutable` is set',
        field: 'binaryData',
      },
    ]);
    expect((await merge(`${maps}/fixed`, { binaryData: null })).status).toBe(200);
  });

  it('for the policies of an autoscaler', async () => {
    const made = (policies: unknown) =>
      api.post(`${autoscalers}?dryRun=All`, {
        metadata: { name: 'a' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          maxReplicas: 2,
          behavior: { scaleDown: { policies } },
        },
      });
    expect((await made([])).body.message).toContain(
      'spec.behavior.scaleDown.policies: Required value: must specify at least one Policy',
    );
    expect((await made(undefined)).body.spec.behavior.scaleDown.policies).toHaveLength(1);
  });

  test.each<[object, string[]]>([
    [{ resources: { claims: [] } }, ['spec.resources.claims']],
    [{ resources: { requests: {} } }, []],
    [
      { os: { name: 'windows' }, securityContext: { sysctls: [], supplementalGroups: [] } },
      ['spec.securityContext.supplementalGroups'],
    ],
  ])('for %j of a pod', async (spec, fields) => {
    const { body } = await api.post(`${pods}?dryRun=All`, { metadata: { name: 'p' }, spec: { containers, ...spec } });
    expect((body.details?.causes ?? []).map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  test.each<[object, string[]]>([
    [{ ports: [] }, ['ports']],
    [{ resizePolicy: [], restartPolicyRules: [] }, ['resizePolicy', 'restartPolicyRules']],
    [{ resources: { claims: [] } }, ['resources']],
    [{ resources: { limits: {} } }, ['resources']],
    [{ resources: {}, env: [], volumeMounts: [] }, []],
  ])('for %j of an ephemeral container', async (fields, forbidden) => {
    const ephemeralContainers = [{ name: 'debug', image: 'example.com/d:1', ...fields }];
    const { body } = await api.patch(
      `${pods}/plain/ephemeralcontainers?dryRun=All`,
      { spec: { ephemeralContainers } },
      'strategic',
    );
    expect((body.details?.causes ?? []).map(({ field }: { field: string }) => field)).toEqual(
      forbidden.map((name) => `spec.ephemeralContainers[0].${name}`),
    );
  });

  it('in the policy of a job', async () => {
    const policyOf = async (successPolicy: object) =>
      (await merge(`${jobs}/work`, { spec: { successPolicy } })).body.details.causes.map(
        ({ message }: { message: string }) => message,
      );
    const shown = (rules: string) => `Invalid value: {"Rules":${rules}}: field is immutable`;
    expect(await policyOf({})).toContain(shown('null'));
    expect(await policyOf({ rules: [] })).toContain(shown('[]'));
  });

  it('in the metadata of a template for claims', async () => {
    const { body } = await api.post(`/apis/resource.k8s.io/v1${space}/resourceclaimtemplates?dryRun=All`, {
      metadata: { name: 't' },
      spec: {
        metadata: { labels: {}, finalizers: [], deletionTimestamp: '0001-01-01T00:00:00Z' },
        spec: { devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'c' } }] } },
      },
    });
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      'spec.metadata.deletionTimestamp',
      'spec.metadata.finalizers',
    ]);
  });
});

describe('times', () => {
  const zero = '0001-01-01T00:00:00Z';

  it('cannot be set for a deletion, not even to zero', async () => {
    const { status, body } = await merge(`${maps}/fixed`, { metadata: { deletionTimestamp: zero } });
    expect(status).toBe(422);
    expect(body.message).toBe(
      'ConfigMap "fixed" is invalid: metadata.deletionTimestamp: Invalid value: null: field is immutable',
    );
    expect((await merge(`${maps}/fixed`, { metadata: { deletionTimestamp: null } })).status).toBe(200);
    const made = await api.post(maps, { metadata: { name: 'made', deletionTimestamp: zero } });
    expect(made.body.metadata).not.toHaveProperty('deletionTimestamp');
  });

  it('are shown as null where they are zero and optional', async () => {
    const { body } = await merge(`${pods}/plain/status?dryRun=All`, { status: { startTime: zero } });
    expect(body.status.startTime).toBeNull();
  });

  it('are compared with their fractions', async () => {
    const write = async (startTime: string) => {
      const status = { startTime, completionTime: '2024-01-02T03:04:05Z' };
      const { body } = await merge(`${jobs}/work/status?dryRun=All`, { status });
      return body.details.causes.map(({ message }: { message: string }) => message);
    };
    const late = 'Invalid value: "2024-01-02T03:04:05Z": must be equal to or after `startTime`';
    expect(await write('2024-01-02T03:04:05.123456Z')).toContain(late);
    expect(await write('2024-01-02T03:04:05.000Z')).not.toContain(late);
  });
});

describe('an object of another kind', () => {
  const scale = { metadata: { name: 'web' }, spec: { replicas: 1 } };
  const unknown = (kind: string, apiVersion: string) =>
    `${kind} in version "${apiVersion.split('/').pop()}" cannot be handled as a ${kind}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  const otherVersion = (apiVersion: string, expected: string) =>
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;

  test.each<[string, object, string]>([
    [
      deployments,
      { apiVersion: 'extensions/v1beta1', kind: 'Deployment' },
      otherVersion('extensions/v1beta1', 'apps/v1'),
    ],
    [deployments, { apiVersion: 'apps/v1beta2', kind: 'Deployment' }, otherVersion('apps/v1beta2', 'apps/v1')],
    [deployments, { apiVersion: 'apps/v9', kind: 'Deployment' }, unknown('Deployment', 'apps/v9')],
    [
      `/apis/events.k8s.io/v1${space}/events`,
      { apiVersion: 'v1', kind: 'Event' },
      otherVersion('v1', 'events.k8s.io/v1'),
    ],
    [
      maps,
      { apiVersion: 'v1', kind: 'Secret', data: { a: 'b' } },
      'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
    ],
    [
      maps,
      { apiVersion: 'v1', kind: 'Secret', data: { a: 'Yg==' } },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
  ])('is refused at %s: %j', async (path, object, message) => {
    const { status, body } = await api.post(path, { metadata: { name: 'a' }, ...object });
    expect(status).toBe(400);
    expect(body.message).toBe(message);
  });

  it('is refused as a scale', async () => {
    const { body } = await api.put(`${deployments}/web/scale`, {
      apiVersion: 'autoscaling/v2',
      kind: 'Scale',
      ...scale,
    });
    expect(body.message).toBe(unknown('Scale', 'autoscaling/v2'));
  });
});

describe('metadata alone', () => {
  const accept = (as: string) => ({ accept: `application/json;as=${as};g=meta.k8s.io;v=v1` });

  it('does not have the annotations that stand for fields', async () => {
    const labels = { app: 'daemon' };
    const path = `/apis/apps/v1${space}/daemonsets`;
    await api.post(path, {
      metadata: { name: 'd', annotations: { note: 'x' } },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    });
    expect(Object.keys((await api.get(`${path}/d`)).body.metadata.annotations)).toHaveLength(2);
    const one = await api.call('GET', `${path}/d`, { headers: accept('PartialObjectMetadata') });
    expect(one.body.metadata.annotations).toEqual({ note: 'x' });
    const list = await api.call('GET', path, { headers: accept('PartialObjectMetadataList') });
    expect(list.body.items[0].metadata.annotations).toEqual({ note: 'x' });
    const table = await api.call('GET', path, { headers: accept('Table') });
    expect(table.body.rows[0].object.metadata.annotations).toEqual({ note: 'x' });
    const whole = await api.call('GET', `${path}?includeObject=Object`, { headers: accept('Table') });
    expect(Object.keys(whole.body.rows[0].object.metadata.annotations)).toHaveLength(2);
  });
});

describe('pods', () => {
  const podWith = (spec: object) =>
    api.post(`${pods}?dryRun=All`, { metadata: { name: 'p' }, spec: { containers, ...spec } });

  it('are validated before their overhead is compared with the runtime class', async () => {
    expect((await podWith({ overhead: { k: '1' } })).status).toBe(422);
    expect((await podWith({ overhead: { cpu: '1' } })).status).toBe(403);
  });

  it('lose the owners of what a resize leaves out', async () => {
    const sized = [{ ...containers[0], resources: { requests: { cpu: '1' } } }];
    await api.post(`${pods}?fieldManager=maker`, {
      metadata: { name: 'sized' },
      spec: { containers: sized, volumes: [{ name: 'v', configMap: { name: 'fixed', optional: true } }] },
    });
    const { body } = await api.put(`${pods}/sized/resize?fieldManager=sizer`, {
      metadata: { name: 'sized' },
      spec: {
        containers: sized,
        resources: { requests: { cpu: '2' } },
        volumes: [{ name: 'v', configMap: { name: 'fixed' } }],
      },
    });
    expect(body.spec).toMatchObject({
      resources: { requests: { cpu: '2' } },
      volumes: [{ configMap: { optional: true } }],
    });
    const owners = ownersOf(body);
    const fieldsOf = (owner: string) => owners.find((text) => text.startsWith(`${owner}*: `));
    expect(fieldsOf('maker')).toContain('.configMap.name');
    expect(fieldsOf('maker')).not.toContain('.configMap.optional');
    expect(fieldsOf('sizer/resize')).toContain('.spec.resources.requests.cpu');
  });

  it('are bound by a collection whatever uid is sent', async () => {
    const binding = { metadata: { name: 'plain', uid: 'x' }, target: { kind: 'Node', name: 'n' } };
    expect((await api.post(`${pods}/plain/binding?dryRun=All`, binding)).status).toBe(409);
    expect((await api.post(`/api/v1${space}/bindings?dryRun=All`, binding)).status).toBe(200);
  });
});

describe('admin access to devices', () => {
  const request = { name: 'a', exactly: { deviceClassName: 'c', allocationMode: 'All', adminAccess: true } };
  const spec = { devices: { requests: [{ ...request, name: 'b', exactly: { deviceClassName: 'c' } }, request] } };
  const detail =
    'Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace';

  it('needs a label of the namespace', async () => {
    const refused = { reason: 'FieldValueForbidden', message: detail, field: 'spec.devices.requests[1].adminAccess' };
    const claim = await api.post(claims, { metadata: { name: 'c' }, spec });
    expect(claim.body.details.causes).toEqual([refused]);
    const templates = `/apis/resource.k8s.io/v1${space}/resourceclaimtemplates`;
    const template = await api.post(templates, { metadata: { name: 'c' }, spec: { spec } });
    expect(template.body.details.causes).toEqual([refused]);
  });

  it('is allowed in a namespace with the label', async () => {
    const labels = { 'resource.kubernetes.io/admin-access': 'true' };
    await api.post('/api/v1/namespaces', { metadata: { name: 'admins', labels } });
    const path = '/apis/resource.k8s.io/v1/namespaces/admins/resourceclaims';
    expect((await api.post(path, { metadata: { name: 'c' }, spec })).status).toBe(200);
    await merge('/api/v1/namespaces/admins', { metadata: { labels: null } });
    // An existing request for admin access may stay, but new access is not granted.
    expect((await merge(`${path}/c`, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    const results = [{ request: 'a', driver: 'd.example.com', pool: 'p', device: 'd', adminAccess: true }];
    const { body } = await merge(`${path}/c/status`, { status: { allocation: { devices: { results } } } });
    expect(body.details.causes).toEqual([
      { reason: 'FieldValueForbidden', message: detail, field: 'status.allocation.devices.results[0].adminAccess' },
    ]);
  });
});

describe('the same quantity in another notation', () => {
  const sized = (memory: string) => [{ ...containers[0], resources: { requests: { memory } } }];

  it('is not a change of an immutable field', async () => {
    const job = (memory: string) => ({
      metadata: { name: 'sized' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: sized(memory) } } },
    });
    await api.post(jobs, job('1Gi'));
    const patch = (memory: string) => api.patch(`${jobs}/sized`, { spec: job(memory).spec }, 'merge');
    expect((await patch('1073741824')).status).toBe(200);
    expect((await patch('1G')).status).toBe(422);
    await api.post(pods, { metadata: { name: 'amount' }, spec: { containers: sized('1Gi') } });
    const podPatch = (memory: string) =>
      api.patch(`${pods}/amount`, { spec: { containers: sized(memory) } }, 'strategic');
    expect((await podPatch('1073741824')).status).toBe(200);
    expect((await podPatch('2Gi')).status).toBe(422);
  });

  it('is no new generation', async () => {
    const patch = (memory: string) =>
      api.patch(`${deployments}/web`, { spec: { template: { spec: { containers: sized(memory) } } } }, 'strategic');
    const { generation } = (await patch('1Gi')).body.metadata;
    expect((await patch('1073741824')).body.metadata.generation).toBe(generation);
    expect((await patch('1G')).body.metadata.generation).toBe(generation + 1);
  });
});

describe('patches', () => {
  it('sort the keys of arbitrary values when they are strategic', async () => {
    const path = '/apis/resource.k8s.io/v1/deviceclasses';
    const parameters = { b: { d: 1, c: 2 }, a: 3 };
    const config = [{ opaque: { driver: 'd.example.com', parameters } }];
    expect((await api.post(path, { metadata: { name: 'r' }, spec: { config } })).status).toBe(200);
    const keys = async () => JSON.stringify((await api.get(`${path}/r`)).body.spec.config[0].opaque.parameters);
    expect(await keys()).toBe('{"b":{"d":1,"c":2},"a":3}');
    await merge(`${path}/r`, { metadata: { labels: { a: 'b' } } });
    expect(await keys()).toBe('{"b":{"d":1,"c":2},"a":3}');
    await api.patch(`${path}/r`, { metadata: { labels: { a: 'c' } } }, 'strategic');
    expect(await keys()).toBe('{"a":3,"b":{"c":2,"d":1}}');
  });

  it('therefore change the data of a revision when they are strategic, unless its keys are sorted', async () => {
    const path = `/apis/apps/v1${space}/controllerrevisions`;
    const label = { metadata: { labels: { a: 'b' } } };
    const answers: Record<string, number[]> = { sorted: [200, 200], unsorted: [200, 422] };
    for (const [name, data] of Object.entries({ sorted: { a: 3, b: 1 }, unsorted: { b: 1, a: 3 } })) {
      await api.post(path, { metadata: { name }, revision: 1, data });
      const statuses = [
        (await merge(`${path}/${name}`, label)).status,
        (await api.patch(`${path}/${name}`, label, 'strategic')).status,
      ];
      expect(statuses, name).toEqual(answers[name]);
    }
  });
});

describe('owners', () => {
  it('change with an empty list inside of an atomic value', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const role = (selector: object) => ({
      metadata: { name: 'sum' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' }, ...selector }] },
    });
    await api.post(`${path}?fieldManager=one`, role({}));
    const same = await api.put(`${path}/sum?fieldManager=two`, role({}));
    expect(ownersOf(same.body)).toHaveLength(1);
    const empty = await api.put(`${path}/sum?fieldManager=two`, role({ matchExpressions: [] }));
    expect(ownersOf(empty.body)).toContain('two*: .aggregationRule.clusterRoleSelectors');
  });

  it('may apply an item whose key is null', async () => {
    const path = `/api/v1${space}/serviceaccounts/keyless`;
    await api.post(`/api/v1${space}/serviceaccounts`, { metadata: { name: 'keyless' }, secrets: [{ name: 'a' }] });
    const { status, body } = await api.call('PATCH', `${path}?fieldManager=two`, {
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'keyless' }, secrets: [{ name: null }] },
    });
    expect(status).toBe(200);
    expect(body.secrets).toEqual([{ name: 'a' }, {}]);
  });
});

describe('rules of single kinds', () => {
  it('let the addresses of an endpoint slice stay', async () => {
    const path = `/apis/discovery.k8s.io/v1${space}/endpointslices`;
    const slice = (addressType: string, ...addresses: string[]) => ({
      metadata: { name: 's' },
      addressType,
      endpoints: [{ addresses }],
    });
    await api.post(path, slice('IPv6', '2001:db8::1'));
    const fields = async (object: object) =>
      (await api.put(`${path}/s`, object)).body.details.causes.map(({ field }: { field: string }) => field);
    expect(await fields(slice('IPv4', '2001:db8::1'))).toEqual(['addressType']);
    expect(await fields(slice('IPv4', '2001:db8::2'))).toEqual(['endpoints[0].addresses', 'addressType']);
  });

  it('warn of the template of a replication controller only when it is created', async () => {
    const path = `/api/v1${space}/replicationcontrollers`;
    const controller = (secret: string) => ({
      metadata: { name: 'rc' },
      spec: {
        replicas: 0,
        template: {
          metadata: { labels: { a: 'b' } },
          spec: { containers, imagePullSecrets: [{ name: secret }, { name: secret }] },
        },
      },
    });
    expect(warningsOf((await api.post(path, controller('x'))).headers)).toHaveLength(1);
    expect(warningsOf((await api.put(`${path}/rc`, controller('y'))).headers)).toEqual([]);
  });

  it('warn of overlapping paths only in sources that list their files', async () => {
    const file = { path: 'n', fieldRef: { fieldPath: 'metadata.name' } };
    const warnings = async (...sources: object[]) => {
      const spec = { containers, volumes: [{ name: 'v', projected: { sources } }] };
      return warningsOf((await api.post(`${pods}?dryRun=All`, { metadata: { name: 'p' }, spec })).headers);
    };
    expect(await warnings({ downwardAPI: { items: [file] } }, { secret: { name: 's' } })).toEqual([]);
    const below = { downwardAPI: { items: [{ ...file, path: 'n/x' }] } };
    expect(await warnings({ downwardAPI: { items: [file] } }, below)).toHaveLength(1);
  });

  it('check the paths that a type check of a policy writes', async () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
    const rule = { apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] };
    await api.post(path, {
      metadata: { name: 'p', labels: { a: 'b' } },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] },
    });
    const write = async (fieldRef: string) => {
      const expressionWarnings = [{ fieldRef, warning: 'w' }];
      return (await merge(`${path}/p/status?dryRun=All`, { status: { typeChecking: { expressionWarnings } } })).body;
    };
    expect((await write('spec.validations[0].expression')).status.typeChecking.expressionWarnings).toHaveLength(1);
    expect((await write('::1')).message).toContain(
      'status.typeChecking.expressionWarnings[0].fieldRef: Invalid value: "::1": invalid JSONPath: unrecognized character in action: U+003A \':\'',
    );
  });

  it('show the metadata of a review in order, and join what was ignored', async () => {
    const group = '/apis/authorization.k8s.io/v1';
    const local = await api.post(`${group}${space}/localsubjectaccessreviews`, {
      metadata: { name: 'a', labels: { b: 'c' } },
      spec: { user: 'bob', resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
    });
    expect(local.body.message).toContain(
      'metadata: Invalid value: {"name":"a","namespace":"default","labels":{"b":"c"}',
    );
    const selectors = { fieldSelector: { rawSelector: 'key in value' }, labelSelector: { rawSelector: '&' } };
    const { body } = await api.post(`${group}/subjectaccessreviews`, {
      spec: { user: 'bob', resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } },
    });
    expect(body.status.evaluationError).toBe(
      'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    );
  });
});
