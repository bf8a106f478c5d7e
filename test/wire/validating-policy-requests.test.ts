import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { bindingsPath, created, deniedBy, enforce, ownNamespace, policiesPath, ruleFor } from './policies.ts';
import { warningsOf } from './warnings-of.ts';

let api: TestApi;
let directory: string;
let auditLogPath: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-policies-'));
  auditLogPath = join(directory, 'audit.log');
  const auditPolicyFile = join(directory, 'policy.yaml');
  const rules = [{ level: 'Metadata', omitStages: ['RequestReceived'] }];
  await writeFile(auditPolicyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  api = await TestApi.start({ auditPolicyFile, auditLogPath, explainAdmission: true });
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Creates a policy for one namespace that denies with the value of an expression as its message. */
async function denyWithMessage(name: string, rule: object, messageExpression: string, condition = 'true') {
  const { matchResources, path } = await ownNamespace(api, name);
  await enforce(api, {
    name,
    rules: [rule],
    spec: {
      matchConditions: [{ name: 'c', expression: condition }],
      validations: [{ expression: 'false', messageExpression }],
    },
    binding: { matchResources },
  });
  return { path, denialWith: (message: string) => deniedBy(name, message) };
}

const labels = { app: 'x' };
const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

describe('operations', () => {
  it('update, by PUT, patch and apply', async () => {
    const messageExpression = "string(oldObject.data.a) + ' to ' + string(object.data.a) + ' by ' + request.operation";
    const { path, denialWith } = await denyWithMessage(
      'updates',
      ruleFor('/configmaps', ['UPDATE']),
      messageExpression,
    );
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: '1' } };
    await created(api, path('configmaps'), map);
    const at = `${path('configmaps')}/m`;
    const changed = { ...map, data: { a: '2' } };
    const apply = { body: changed, headers: { 'content-type': 'application/apply-patch+yaml' } };
    for (const response of [
      await api.put(at, changed),
      await api.patch(at, { data: { a: '2' } }),
      await api.call('PATCH', `${at}?fieldManager=m&force=true`, apply),
    ]) {
      expect(response.body.message).toContain(denialWith('1 to 2 by UPDATE'));
    }
    expect((await api.get(at)).body.data).toEqual({ a: '1' });
  });

  it('delete, alone and in collections', async () => {
    const messageExpression =
      "(object == null ? 'no object, ' : '') + oldObject.metadata.name + ' with ' + request.options.kind";
    const rule = ruleFor('/configmaps', ['DELETE']);
    const { path, denialWith } = await denyWithMessage(
      'deletions',
      rule,
      messageExpression,
      'has(oldObject.metadata.labels)',
    );
    for (const name of ['a', 'b']) await created(api, path('configmaps'), { metadata: { name } });
    await created(api, path('configmaps'), { metadata: { name: 'kept', labels: { keep: 'yes' } } });
    expect((await api.delete(`${path('configmaps')}/a`)).status).toBe(200);
    expect((await api.delete(`${path('configmaps')}/kept`)).body.message).toContain(
      denialWith('no object, kept with DeleteOptions'),
    );
    expect((await api.delete(path('configmaps'))).body.message).toContain(
      denialWith('no object, kept with DeleteOptions'),
    );
    expect((await api.get(`${path('configmaps')}/kept`)).status).toBe(200);
  });

  it('delete without a name, in collections', async () => {
    const { path, denialWith } = await denyWithMessage('names', ruleFor('/configmaps', ['DELETE']), 'request.name');
    await created(api, path('configmaps'), { metadata: { name: 'a' } });
    expect((await api.delete(`${path('configmaps')}/a`)).body.message).toContain(denialWith('a'));
    // The message falls back to the expression of the validation when its own expression fails.
    expect((await api.delete(path('configmaps'))).body.message).toContain(denialWith('failed expression: false'));
  });

  it('subresources by their own rules', async () => {
    const messageExpression = "request.kind.kind + ' at ' + request.resource.resource + '/' + request.subResource";
    const { path, denialWith } = await denyWithMessage(
      'scales',
      ruleFor('apps/deployments/scale', ['*']),
      messageExpression,
    );
    const deployments = path('deployments').replace('/api/v1', '/apis/apps/v1');
    await created(api, deployments, deployment);
    expect((await api.patch(`${deployments}/d`, { spec: { replicas: 2 } })).status).toBe(200);
    expect((await api.patch(`${deployments}/d/scale`, { spec: { replicas: 3 } })).body.message).toContain(
      denialWith('Scale at deployments/scale'),
    );
    expect((await api.patch(`${deployments}/d/status`, { status: { replicas: 1 } })).status).toBe(200);
  });

  it('equivalent versions, converted', async () => {
    const rule = { operations: ['CREATE'], apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['*'] };
    const messageExpression =
      "request.kind.version + ' for ' + request.requestKind.version + ': ' + string(object.spec.targetCPUUtilizationPercentage)";
    const { path, denialWith } = await denyWithMessage('converted', rule, messageExpression);
    const { body } = await api.post(path('horizontalpodautoscalers').replace('/api/v1', '/apis/autoscaling/v2'), {
      metadata: { name: 'h' },
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 42 } } },
        ],
      },
    });
    expect(body.message).toContain(denialWith('v1 for v2: 42'));
  });

  it('sees objects as other plugins and defaults have completed them', async () => {
    const messageExpression =
      "object.spec.restartPolicy + ' ' + string(object.spec.priority) + ' ' + namespaceObject.metadata.name";
    const { path, denialWith } = await denyWithMessage('completed', ruleFor('/pods'), messageExpression);
    const { body } = await api.post(path('pods'), {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    expect(body.message).toContain(denialWith('Always 0 completed'));
  });
});

describe('what is in force', () => {
  it('is so with the next request', async () => {
    const { matchResources, path } = await ownNamespace(api, 'next');
    const attempt = async () =>
      (await api.post(`${path('configmaps')}?dryRun=All`, { metadata: { name: 'm' } })).status;
    const states: [change: () => Promise<unknown>, status: number][] = [
      [
        () =>
          enforce(api, {
            name: 'next',
            rules: [ruleFor('/configmaps')],
            spec: { validations: [{ expression: 'false' }] },
            binding: { matchResources },
          }),
        422,
      ],
      [() => api.patch(`${bindingsPath}/next`, { spec: { validationActions: ['Audit'] } }), 200],
      [() => api.patch(`${bindingsPath}/next`, { spec: { validationActions: ['Deny'] } }), 422],
      [() => api.patch(`${policiesPath}/next`, { spec: { validations: [{ expression: 'true' }] } }), 200],
      [() => api.patch(`${policiesPath}/next`, { spec: { validations: [{ expression: '1 == 2' }] } }), 422],
      [() => api.delete(`${bindingsPath}/next`), 200],
    ];
    for (const [change, status] of states) {
      await change();
      expect(await attempt()).toBe(status);
    }
  });

  it('does not concern the configuration of admission', async () => {
    const all = {
      operations: ['*'],
      apiGroups: ['admissionregistration.k8s.io'],
      apiVersions: ['*'],
      resources: ['*/*'],
    };
    await enforce(api, { name: 'lockout', rules: [all], spec: { validations: [{ expression: 'false' }] } });
    expect((await api.delete(`${bindingsPath}/lockout`)).status).toBe(200);
  });

  it('is explained to users with permission', async () => {
    const { path } = await denyWithMessage('explained', ruleFor('/configmaps'), "'no'");
    const { headers } = await api.post(path('configmaps'), { metadata: { name: 'm' } });
    expect(JSON.parse(`[${headers['keelson-admission']}]`)).toEqual([
      {
        plugin: 'ValidatingAdmissionPolicy',
        source: 'policy explained, binding explained',
        phase: 'validate',
        denied: 'no',
      },
    ]);
  });
});

it('warns, and annotates the audit event', async () => {
  const { matchResources, path } = await ownNamespace(api, 'watched');
  await enforce(api, {
    name: 'watched',
    rules: [ruleFor('/configmaps')],
    spec: {
      validations: [
        { expression: "'a' in object.data", message: 'a is missing' },
        { expression: "'b' in object.data" },
      ],
      auditAnnotations: [{ key: 'keys', valueExpression: "object.data.map(key, key).join('+')" }],
    },
    binding: { matchResources, validationActions: ['Warn', 'Audit'] },
  });
  const { status, headers } = await api.post(path('configmaps'), {
    metadata: { name: 'audited' },
    data: { x: '', y: '' },
  });
  expect(status).toBe(200);
  const warned = "Validation failed for ValidatingAdmissionPolicy 'watched' with binding 'watched': ";
  expect(warningsOf(headers)).toEqual([`${warned}a is missing`, `${warned}failed expression: 'b' in object.data`]);
  const lines = (await readFile(auditLogPath, 'utf8')).split('\n').filter(Boolean);
  const event = lines.map((line) => JSON.parse(line)).find(({ objectRef }) => objectRef?.name === 'audited');
  const failure = {
    message: 'a is missing',
    policy: 'watched',
    binding: 'watched',
    expressionIndex: 0,
    validationActions: ['Warn', 'Audit'],
  };
  expect(event.annotations).toMatchObject({
    'watched/keys': 'x+y',
    'validation.policy.admission.k8s.io/validation_failure': JSON.stringify([failure]),
  });
});

it('asks the authorizer about the user and about service accounts', async () => {
  const { matchResources, path } = await ownNamespace(api, 'asking');
  await enforce(api, {
    name: 'asking',
    rules: [ruleFor('/configmaps')],
    spec: {
      validations: [
        {
          expression:
            "authorizer.group('').resource('secrets').namespace(request.namespace).name('key').check('get').allowed()",
          messageExpression: "request.userInfo.username + ' may not read the key'",
        },
      ],
      auditAnnotations: [
        {
          key: 'bot',
          valueExpression:
            "string(authorizer.serviceAccount('asking', 'bot').group('').resource('configmaps').namespace('asking').check('list').allowed())",
        },
      ],
    },
    binding: { matchResources },
  });
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/asking';
  await created(api, `${rbac}/roles`, {
    metadata: { name: 'writer' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'list'] }],
  });
  await created(api, `${rbac}/rolebindings`, {
    metadata: { name: 'writer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writer' },
    subjects: [
      { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'ServiceAccount', name: 'bot', namespace: 'asking' },
    ],
  });
  const asJane = { headers: { 'impersonate-user': 'jane' } };
  const { body } = await api.post(path('configmaps'), { metadata: { name: 'by-jane' } }, asJane);
  expect(body.message).toContain(deniedBy('asking', 'jane may not read the key'));
  await created(api, path('configmaps'), { metadata: { name: 'by-admin' } });
  const lines = (await readFile(auditLogPath, 'utf8')).split('\n').filter(Boolean);
  const event = lines.map((line) => JSON.parse(line)).find(({ objectRef }) => objectRef?.name === 'by-admin');
  expect(event.annotations['asking/bot']).toBe('true');
});

it('ends expressions that cost too much', async () => {
  const { matchResources, path } = await ownNamespace(api, 'costly');
  const keys = 'object.data.map(k, k)';
  const expression = `${keys}.all(a, ${keys}.all(b, ${keys}.all(c, a != 'x' || b != 'x' || c != 'x')))`;
  await enforce(api, {
    name: 'costly',
    rules: [ruleFor('/configmaps')],
    spec: { validations: [{ expression }] },
    binding: { matchResources },
  });
  const data = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
  expect((await api.post(path('configmaps'), { metadata: { name: 'few' }, data: data(10) })).status).toBe(200);
  const { body } = await api.post(path('configmaps'), { metadata: { name: 'many' }, data: data(200) });
  expect(body.message).toContain(
    deniedBy('costly', `expression '${expression}' resulted in error: operation cancelled: actual cost limit exceeded`),
  );
  await api.patch(`${policiesPath}/costly`, { spec: { failurePolicy: 'Ignore' } });
  expect((await api.post(path('configmaps'), { metadata: { name: 'many' }, data: data(200) })).status).toBe(200);
});

describe('a policy for everything', () => {
  const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  const group = '/apis/admissionregistration.k8s.io/v1';
  const reviews = '/apis/authorization.k8s.io/v1';
  const attributes = { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } };
  const asked = { spec: { user: 'somebody', ...attributes } };
  const withName = (name: string) => ({ metadata: { name } });
  beforeAll(() =>
    enforce(api, {
      name: 'nothing',
      rules: [everything],
      spec: {
        matchConditions: [{ name: 'user', expression: "request.userInfo.username == 'locked-out'" }],
        validations: [{ expression: 'false', message: 'nothing at all' }],
      },
    }),
  );
  const post = (path: string, body: object) =>
    api.call('POST', path, {
      body,
      headers: { 'impersonate-user': 'locked-out', 'impersonate-group': 'system:masters' },
    });

  it.each([
    ['/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }],
    ['/apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
    [`${reviews}/subjectaccessreviews`, asked],
    ['/api/v1/subjectaccessreviews', asked],
    [`${reviews}/selfsubjectaccessreviews`, { spec: attributes }],
    [`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'default' } }],
    [`${reviews}/namespaces/default/localsubjectaccessreviews`, { ...asked, metadata: { namespace: 'default' } }],
    [
      `${group}/validatingadmissionpolicybindings?dryRun=All`,
      { ...withName('x'), spec: { policyName: 'x', validationActions: ['Deny'] } },
    ],
  ])('does not keep anybody from %s', async (path, body) => {
    const { status, body: answer } = await post(path, body);
    expect(status, answer.message).toBe(200);
  });

  it.each([
    [`${group}/validatingwebhookconfigurations`],
    [`${group}/mutatingwebhookconfigurations`],
    ['/api/v1/namespaces'],
  ])('denies a create of %s', async (path) => {
    expect((await post(path, withName('refused'))).body.message).toContain(deniedBy('nothing', 'nothing at all'));
  });
});

it('a mutating policy changes webhook configurations', async () => {
  const group = '/apis/admissionregistration.k8s.io/v1';
  const expression = 'Object{metadata: Object.metadata{labels: {"guarded": "yes"}}}';
  await created(api, `${group}/mutatingadmissionpolicies`, {
    metadata: { name: 'guard' },
    spec: {
      reinvocationPolicy: 'Never',
      matchConstraints: {
        resourceRules: [ruleFor('admissionregistration.k8s.io/validatingwebhookconfigurations', ['CREATE'])],
      },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    },
  });
  await created(api, `${group}/mutatingadmissionpolicybindings`, {
    metadata: { name: 'guard' },
    spec: { policyName: 'guard' },
  });
  const { body } = await api.post(`${group}/validatingwebhookconfigurations`, { metadata: { name: 'guarded' } });
  expect(body.metadata.labels).toEqual({ guarded: 'yes' });
});
