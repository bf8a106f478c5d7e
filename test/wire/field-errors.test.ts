import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs } from './field-owners.ts';
import { warningsOf } from './warnings-of.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const item = `${deployments}/web`;
const secret = 'do-not-show-me';
const levels = ['Ignore', 'Warn', 'Strict'] as const;
const fatal = 'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32';
const refused = `Deployment in version "v1" cannot be handled as a Deployment: ${fatal}`;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/web:1' }] } };
  const annotations = { note: secret };
  await api.post(deployments, {
    metadata: { name: 'web', annotations },
    spec: { selector: { matchLabels: labels }, template },
  });
});
afterAll(() => api.stop());

function patch(type: string, body: unknown, level: string) {
  const headers = { 'content-type': `application/${type}-patch+json` };
  return api.call('PATCH', `${item}?fieldValidation=${level}`, { body, headers });
}

describe.each(levels)('level %s: an unknown field and a wrong type', (level) => {
  it.each([
    ['merge', { spec: { replicas: 'x', colour: 'red' } }],
    ['merge', { zzz: 1, spec: { replicas: 'x' } }],
    ['merge', '{"spec":{"paused":true,"paused":true,"replicas":"x"}}'],
    ['strategic-merge', { spec: { replicas: 'x', colour: 'red' } }],
    [
      'json',
      [
        { op: 'add', path: '/spec/colour', value: 'red' },
        { op: 'add', path: '/spec/replicas', value: 'x' },
      ],
    ],
    ['json', [{ op: 'add', path: '/spec/replicas', value: 'x', colour: 'red' }]],
  ])('cause a 400 in a %s patch %j', async (type, body) => {
    const { status, body: response } = await patch(type, body, level);
    expect(status).toBe(400);
    expect(response).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: refused,
      reason: 'BadRequest',
      code: 400,
    });
  });

  it('are found behind a value that ends the decoding', async () => {
    const { status, body } = await patch('merge', { metadata: { deletionTimestamp: 'bad' }, zzz: 1 }, level);
    expect(status).toBe(400);
    expect(body.message).toContain('parsing time "bad"');
    expect(body.message).not.toContain(secret);
  });

  it('are 400 when the patch cannot even be applied', async () => {
    const { status, body } = await patch('json', [{ op: 'remove', path: '/spec/none', colour: 'red' }], level);
    expect(status).toBe(400);
    expect(body.message).toBe('the server rejected our request due to an error in our request');
  });

  it('cause a 400 in an apply, which names the wrong type alone', async () => {
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { colour: 1, replicas: 'x' },
    };
    const { status, body: response } = await applyAs(api, 'm', {
      path: item,
      body,
      query: `&fieldValidation=${level}`,
    });
    expect(status).toBe(400);
    expect(response.message).toBe(
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): ' +
        '.spec.replicas: expected numeric (int or float), got string',
    );
  });

  it.each(['POST', 'PUT'])('cause a 400 in a %s', async (method) => {
    const body = { metadata: { name: 'web' }, spec: { colour: 1, replicas: 'x' } };
    const path = `${method === 'POST' ? deployments : item}?fieldValidation=${level}`;
    const { status, body: response } = await api.call(method, path, { body });
    expect(status).toBe(400);
    expect(response.message).toBe(refused);
  });
});

it('a wrong type alone is answered as by kube-apiserver', async () => {
  const { status, body } = await patch('merge', { spec: { replicas: 'x' } }, 'Warn');
  expect(status).toBe(422);
  expect(body.message).toContain(fatal);
});

describe.each(levels)('level %s: a repeated field whose earlier value has the wrong type', (level) => {
  const query = `?fieldValidation=${level}&dryRun=All`;
  const configMaps = `/api/v1/namespaces/default/configmaps`;
  const wrong = 'json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string';

  it.each([
    ['application/json', '{"metadata":{"name":"x"},"data":5,"data":{"a":"b"}}', wrong],
    ['application/json', '{"metadata":{"name":"x"},"data":{"a":5,"a":"b"}}', 'ConfigMap.data of type string'],
    ['application/json', '{"metadata":{"name":"x"},"metadata":{"name":"x"},"immutable":"no","immutable":true}', 'bool'],
    ['application/yaml', 'metadata: {name: x}\ndata: 5\ndata: {a: b}\n', wrong],
    ['application/yaml', 'metadata: {name: x}\ndata:\n  a: 5\n  a: b\n', 'ConfigMap.data of type string'],
    ['application/yaml', '{"metadata":{"name":"x"},"data":5,"data":{"a":"b"}}', wrong],
  ])('is refused in %s: %s', async (type, body, message) => {
    const response = await api.post(`${configMaps}${query}`, body, { headers: { 'content-type': type } });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ reason: 'BadRequest', code: 400 });
    expect(response.body.message).toContain(message);
  });

  it('is refused in a number that is no integer', async () => {
    const { status, body } = await api.put(
      `${item}${query}`,
      '{"metadata":{"name":"web"},"spec":{"replicas":1.0,"replicas":1}}',
    );
    expect(status).toBe(400);
    expect(body.message).toContain('cannot unmarshal number 1.0 into Go struct field DeploymentSpec.spec.replicas');
  });

  it.each([
    ['merge', '{"spec":{"replicas":"x","replicas":2}}', refused],
    ['strategic-merge', '{"spec":{"replicas":"x","replicas":2}}', refused],
    [
      'json',
      '[{"op":"test","op":"add","path":5,"path":"/spec/replicas","value":2}]',
      'jsonPatchOp.path of type string',
    ],
  ])('is refused in a %s patch', async (type, body, message) => {
    const response = await patch(type, body, level);
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(message);
  });

  it('is refused in an apply', async () => {
    const body = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: x\n  replicas: 2\n`;
    const response = await applyAs(api, 'm', { path: item, body, query: `&fieldValidation=${level}` });
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(fatal);
  });
});

it.each(['{"gracePeriodSeconds":"x","gracePeriodSeconds":5}', '{"preconditions":{"uid":5,"uid":"u"}}'])(
  'repeated options of a delete have to make sense, too: %s',
  async (body) => {
    expect((await api.delete(item, { body })).status).toBe(400);
    expect((await api.get(item)).status).toBe(200);
  },
);

describe('repeated fields of the right type', () => {
  it('are warned of, and the last one wins', async () => {
    const text = '{"metadata":{"name":"web"},"spec":{"replicas":2,"replicas":3}}';
    const response = await api.call('PATCH', `${item}?dryRun=All`, {
      body: text,
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(response.status).toBe(200);
    expect(response.body.spec.replicas).toBe(3);
    expect(warningsOf(response.headers)).toEqual(['duplicate field "spec.replicas"']);
  });

  it('keep no number of an earlier value', async () => {
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    const body = '{"metadata":{"name":"q"},"spec":{"hard":{"cpu":1.5e3,"cpu":"2"}}}';
    expect((await api.post(quotas, body)).body.spec.hard).toEqual({ cpu: '2' });
  });

  it('may be of another type than what they override in merged YAML maps', async () => {
    const body = 'metadata:\n  name: merged\n  annotations: &base {a: b}\ndata:\n  <<: *base\n  a: c\n';
    const { status, body: made } = await api.post('/api/v1/namespaces/default/configmaps', body, {
      headers: { 'content-type': 'application/yaml' },
    });
    expect({ status, data: made.data }).toEqual({ status: 200, data: { a: 'c' } });
  });
});

describe('warnings that are too many', () => {
  const many = (count: number, length = 5) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`.padEnd(length, 'x'), 1]));
  const configMaps = '/api/v1/namespaces/default/configmaps?dryRun=All';

  it.each(['POST', 'PATCH'])('are counted when only the first are named: %s', async (method) => {
    const path = method === 'POST' ? configMaps : `${item}?dryRun=All`;
    const headers = { 'content-type': `application/${method === 'PATCH' ? 'merge-patch+' : ''}json` };
    const body = { metadata: { name: method === 'POST' ? 'x' : 'web' }, ...many(130) };
    const warnings = warningsOf((await api.call(method, path, { body, headers })).headers);
    expect(warnings[0]).toBe('130 unknown or duplicate fields, the first 100 are named');
    expect(warnings).toHaveLength(101);
  });

  it('are counted when the headers have no room', async () => {
    const warnings = warningsOf((await api.post(configMaps, { metadata: { name: 'x' }, ...many(90, 200) })).headers);
    expect(warnings.at(-1)).toBe(`${90 - (warnings.length - 1)} more warnings are not shown`);
  });
});

describe('a review', () => {
  const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const reviews = [
    ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: { nonResourceAttributes: { path: '/' } } }],
    ['/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec: { user: 'u', nonResourceAttributes: {} } }],
    ['/api/v1/subjectaccessreviews', { spec: { user: 'u', nonResourceAttributes: {} } }],
    [
      '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
      { metadata: { namespace: 'default' }, spec: { user: 'u', resourceAttributes: { namespace: 'default' } } },
    ],
    ['/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'default' } }],
    ['/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 't' } }],
    ['/apis/authentication.k8s.io/v1/selfsubjectreviews', {}],
  ] as const;

  it.each(reviews)('%s is no Table', async (path, body) => {
    const { status, body: response } = await api.post(path, body, { headers: { accept: table } });
    expect(status).toBe(406);
    expect(response.message).toMatch('only the following media types are accepted: application/json');
  });

  it.each(reviews)('%s is returned in its own type if the client also accepts that', async (path, body) => {
    const { status, body: response } = await api.post(path, body, { headers: { accept: `${table},application/json` } });
    expect(status).toBe(200);
    expect(response.kind).toMatch(/Review$/);
  });
});
