import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { definitions } from './custom-types.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

/** Creates a config map. Returns it and its path. */
async function made(data: Record<string, string> = { a: '1' }, metadata: object = {}) {
  const name = `patched-${++count}`;
  const { body } = await api.post(configMaps, { metadata: { ...metadata, name }, data });
  return { path: `${configMaps}/${name}`, body };
}

async function madeDeployment(): Promise<string> {
  const name = `patched-${++count}`;
  const labels = { app: name };
  const spec = { containers: [{ name: 'c', image: 'registry.example/c:1' }] };
  await api.post(deployments, {
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  return `${deployments}/${name}`;
}

describe('field validation', () => {
  const send = (path: string, patch: unknown, { level, type = 'merge' }: { level: string; type?: string }) =>
    api.patch(`${path}?fieldValidation=${level}`, patch, type);
  const detail = ({ body }: ApiResponse) => body.message.replace(/^ "" is invalid: patch: Invalid value: ".*": /s, '');

  it.each<[string, string, string]>([
    ['merge', '{"foo":1}', 'unknown field "foo"'],
    ['merge', '{"data":{"d":"1","d":"2"}}', 'duplicate field "data.d"'],
    ['merge', '{"data":{"d":"1","d":"2"},"foo":1}', 'duplicate field "data.d", unknown field "foo"'],
    ['strategic', '{"metadata":{"bar":{}}}', 'unknown field "metadata.bar"'],
    ['strategic', '{"data":{"d":"1","d":"2"}}', 'duplicate field "data.d"'],
    ['json', '[{"op":"add","path":"/foo","value":"x"}]', 'unknown field "foo"'],
    ['json', '[{"op":"test","path":"/data/a","value":"1","foo":1}]', 'json patch unknown field "[0].foo"'],
    ['json', '[{"op":"test","path":"/data/a","value":"1","value":"1"}]', 'json patch duplicate field "[0].value"'],
  ])('finds unknown and repeated fields in a %s patch: %s', async (type, patch, found) => {
    const { path, body } = await made();
    const strict = await send(path, patch, { level: 'Strict', type });
    expect([strict.status, strict.body.reason, detail(strict)]).toEqual([
      422,
      'Invalid',
      `strict decoding error: ${found}`,
    ]);
    expect(strict.body.details).toEqual({
      causes: [{ reason: 'FieldValueInvalid', message: expect.any(String), field: 'patch' }],
    });
    expect((await api.get(path)).body).toEqual(body);
    const warned = await send(path, patch, { level: 'Warn', type });
    expect(warned.status).toBe(200);
    expect(warned.headers.warning).toBe(
      found
        .split(', ')
        .map((text) => `299 - "${text.replaceAll('"', '\\"')}"`)
        .join(', '),
    );
    const ignored = await send(path, patch, { level: 'Ignore', type });
    expect([ignored.status, ignored.headers.warning]).toEqual([200, undefined]);
  });

  it('shows the result of the patch, or the patch itself when it is strategic', async () => {
    const { path } = await made();
    const merge = await send(path, { foo: 1 }, { level: 'Strict' });
    expect(merge.body.message).toContain(
      'Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"a\\":\\"1\\"},\\"foo\\":1,',
    );
    const strategic = await send(path, { foo: { b: [1], a: 'x' } }, { level: 'Strict', type: 'strategic' });
    expect(strategic.body.message).toContain('Invalid value: "map[foo:map[a:x b:[1]]]": strict decoding error');
  });
});

describe('what comes out of a patch', () => {
  it.each<[string, unknown, string]>([
    [
      'merge',
      { data: 'x' },
      'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    ],
    [
      'json',
      [{ op: 'add', path: '/data/n', value: 5 }],
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'json',
      [{ op: 'replace', path: '', value: [] }],
      "couldn't get version/kind; json parse error: json: cannot unmarshal array into",
    ],
    ['merge', { kind: 'Gadget' }, 'no kind "Gadget" is registered for version "v1" in scheme'],
    ['merge', { apiVersion: 'v2' }, 'no kind "ConfigMap" is registered for version "v2" in scheme'],
    ['merge', { kind: 5 }, 'json: cannot unmarshal number into Go struct field .kind of type string'],
    ['strategic', { data: ['x'] }, 'cannot restore map from slice'],
    ['strategic', { data: { n: 5 } }, 'cannot convert int64 to string'],
    ['strategic', { metadata: 'x' }, 'cannot restore struct from: string'],
    ['strategic', { metadata: { finalizers: 'x' } }, 'cannot restore slice from string'],
    ['strategic', { binaryData: { a: 'plain text' } }, 'error decoding from json: illegal base64 data at input byte 5'],
    ['strategic', { immutable: 'x' }, 'unrecognized type: bool'],
  ])('must be an object of the type: %s %j', async (type, patch, detail) => {
    const { path, body } = await made();
    const response = await api.patch(path, patch, type);
    expect(response.body).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: [{ field: 'patch' }] } });
    expect(response.body.message).toMatch(/^ "" is invalid: patch: Invalid value: /);
    expect(response.body.message).toContain(detail);
    expect((await api.get(path)).body).toEqual(body);
  });

  it('must have what a type with its own decoder accepts', async () => {
    const schema = { openAPIV3Schema: { type: 'object' } };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const spec = { group: 'patched.example.com', scope: 'Cluster', names: { plural: 'odds', kind: 'Odd' }, versions };
    await api.post(definitions, { metadata: { name: 'odds.patched.example.com' }, spec });
    const wrong = { openAPIV3Schema: { type: 'object', additionalProperties: 'x' } };
    const patch = { spec: { versions: [{ ...versions[0], schema: wrong }] } };
    const { body } = await api.patch(`${definitions}/odds.patched.example.com`, patch, 'strategic');
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field: 'patch' }] } });
    expect(body.message).toMatch(/: boolean or JSON schema expected$/);
  });

  it.each<[unknown]>([[{ kind: null, apiVersion: null, data: { a: '2' } }], [{ kind: 'ConfigMap', data: { a: '2' } }]])(
    'need not contain its kind: %j',
    async (patch) => {
      const { path } = await made();
      expect((await api.patch(path, patch)).body).toMatchObject({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        data: { a: '2' },
      });
    },
  );

  it('has the version of the path, in whichever it is stored', async () => {
    const scalers = 'namespaces/default/horizontalpodautoscalers';
    const spec = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } };
    await api.post(`/apis/autoscaling/v2/${scalers}`, { metadata: { name: 'both' }, spec });
    for (const version of ['v1', 'v2']) {
      for (const type of ['merge', 'strategic']) {
        const patch = { spec: { maxReplicas: type === 'merge' ? 4 : 5 } };
        const { body } = await api.patch(`/apis/autoscaling/${version}/${scalers}/both`, patch, type);
        expect(body).toMatchObject({ apiVersion: `autoscaling/${version}`, ...patch });
      }
    }
  });

  it('keeps the integers that a number cannot hold', async () => {
    const path = await madeDeployment();
    const patch = '{"spec":{"template":{"spec":{"securityContext":{"runAsUser":9007199254740993}}}}}';
    expect((await api.patch(path, patch)).status).toBe(422);
    const seconds = '{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":9007199254740993}}}}';
    expect((await api.patch(path, seconds)).status).toBe(200);
    const { status, text } = await api.patch(
      path,
      '[{"op":"test","path":"/spec/template/spec/terminationGracePeriodSeconds","value":9007199254740993},' +
        '{"op":"copy","from":"/spec/template/spec","path":"/spec/foo"}]',
      'json',
    );
    expect(status).toBe(200);
    expect(text).toContain('"terminationGracePeriodSeconds":9007199254740993');
  });

  it('is removed when its last finalizer goes while it waits for that', async () => {
    const { path } = await made({}, { finalizers: ['example.com/a', 'example.com/b'] });
    await api.delete(path);
    const remove = (index: number) => [{ op: 'remove', path: `/metadata/finalizers/${index}` }];
    expect((await api.patch(`${path}?dryRun=All`, { metadata: { finalizers: null } })).status).toBe(200);
    expect((await api.patch(path, remove(0), 'json')).body.metadata.finalizers).toEqual(['example.com/b']);
    expect((await api.patch(path, remove(0), 'json')).status).toBe(200);
    expect((await api.get(path)).status).toBe(404);
  });
});

describe('a body that is no patch', () => {
  const decoding = 'error decoding patch: ';
  const character = "invalid character 'h' looking for beginning of value";

  it.each<[string, string, string, string]>([
    ['json', '', 'hello', decoding + character],
    ['json', 'Ignore', 'hello', character],
    ['json', '', '', `${decoding}unexpected end of JSON input`],
    ['merge', '', 'hello', decoding + character],
    ['merge', 'Ignore', 'hello', 'Invalid JSON Patch'],
    ['merge', '', 'null', 'Invalid JSON Patch'],
    ['strategic', '', 'hello', character],
    ['strategic', 'Ignore', 'hello', character],
    ['strategic', '', '[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ])('%s, fieldValidation=%s: %j', async (type, level, patch, message) => {
    const { path } = await made();
    const { body } = await api.patch(`${path}?fieldValidation=${level}`, patch, type);
    expect(body).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it.each(['application/json', 'text/plain', 'application/merge-patch', ''])('has another type: %j', async (type) => {
    const { path } = await made();
    const { body } = await api.call('PATCH', path, { body: '{}', headers: { 'content-type': type } });
    const message = '415: Unsupported Media Type';
    expect(body).toMatchObject({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
  });
});

describe('integers that are too large for their field', () => {
  it('lose their upper bits in a strategic merge patch and in an apply', async () => {
    const path = await madeDeployment();
    const refused = await api.patch(path, { spec: { replicas: 2 ** 31 } }, 'strategic');
    expect([refused.status, refused.body.details.causes[0].message]).toEqual([
      422,
      'Invalid value: -2147483648: must be greater than or equal to 0',
    ]);
    const written = await api.patch(path, { spec: { replicas: 2 ** 32 + 3 } }, 'strategic');
    expect([written.status, written.body.spec.replicas]).toEqual([200, 3]);
    const { metadata } = written.body;
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: metadata.name } };
    const result = await api.call('PATCH', `${path}?fieldManager=m&force=true`, {
      body: { ...applied, spec: { replicas: 2 ** 32 + 4 } },
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
    expect([result.status, result.body.spec.replicas]).toEqual([200, 4]);
  });

  it.each(['merge', 'json'])('are an error in a %s patch', async (type) => {
    const path = await madeDeployment();
    const patch =
      type === 'json' ? [{ op: 'replace', path: '/spec/replicas', value: 2 ** 31 }] : { spec: { replicas: 2 ** 31 } };
    const { status, body } = await api.patch(path, patch, type);
    expect([status, body.details.causes[0].field]).toEqual([422, 'patch']);
  });
});

it('shows the whole result of a status patch that cannot be decoded', async () => {
  const path = await madeDeployment();
  const { status, body } = await api.patch(`${path}/status`, { status: { replicas: 'x' } }, 'merge');
  expect(status).toBe(422);
  expect(body.message).toContain('registry.example/c:1');
});
