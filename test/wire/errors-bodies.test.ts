import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const item = `${configMaps}/present`;
const bodyLimit = 3 * 1024 * 1024;
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post(configMaps, { metadata: { name: 'present' } });
});
afterAll(() => api.stop());

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

describe('a body that is no object', () => {
  it.each([
    [
      'nothing',
      '',
      `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
    ],
    ['half of one', '{"metadata":{"name":"x"', 'unexpected end of JSON input ({"metadata":{"name":"x")'],
    ['an array', '[]', 'json: cannot unmarshal array into Go value of type '],
    ['a string', '"x"', 'json: cannot unmarshal string into Go value of type '],
    ['a number', '7', 'json: cannot unmarshal number into Go value of type '],
    ['garbage', 'garbage', `invalid character 'g' looking for beginning of value (67617262616765)`],
    ['an object and more', '{} {}', `invalid character '{' after top-level value ({} {})`],
    ['bytes that are no text', Buffer.from('{"metadata":{"name":"\xff"}}', 'latin1'), 'invalid UTF-8'],
    ['a byte order mark', '\ufeff{}', `invalid character 'ï' looking for beginning of value`],
    ['more levels than anybody needs', nested(100_000), 'exceeded max depth'],
    [
      'an unended string of 1 MB',
      `{"a":"${'x'.repeat(1_000_000)}`,
      'unexpected end of JSON input ({"a":"xxxxxxxxxxxxxxxxxxxxxxxx ...)',
    ],
  ])('is refused: %s', async (_what, body, message) => {
    for (const [method, path] of [
      ['POST', configMaps],
      ['PUT', item],
    ] as const) {
      const response = await api.call(method, path, { body, headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
      expect(response.body).not.toHaveProperty('details');
      expect(response.body.message).toContain(unrecognized);
      expect(response.body.message).toContain(message);
    }
  });

  it('is an empty object when it is null', async () => {
    const { status, body } = await api.post(configMaps, 'null');
    expect(status).toBe(422);
    expect(body.message).toBe(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  });

  it.each([
    ['merge', 'half an object', '{', 400],
    ['merge', 'an array', '[]', 400],
    ['merge', 'a number', '7', 400],
    ['merge', 'too many levels', nested(100_000), 400],
    ['json', 'an object', '{}', 400],
    ['json', 'an unknown operation', '[{"op":"fly","path":"/data"}]', 422],
    ['json', 'a bad pointer', '[{"op":"add","path":"data","value":1}]', 422],
    ['json', 'a pointer to nothing', '[{"op":"remove","path":"/data/absent"}]', 422],
    ['json', 'metadata that are none', '[{"op":"replace","path":"/metadata","value":7}]', 422],
    ['strategic', 'nothing', '', 400],
    ['strategic', 'an array', '[]', 400],
    ['strategic', 'data that are none', '{"data":7}', 422],
    ['strategic', 'too many levels', nested(100_000), 400],
  ])('is refused as a %s patch: %s', async (type, _what, patch, code) => {
    const { status, body } = await api.patch(item, patch, type);
    expect({ status, body }).toMatchObject({ status: code, body: { kind: 'Status', code } });
  });
});

/** Deep enough to cause problems, but not so deep that the parser rejects it. */
describe.each([2_000, 5_000, 9_900])('an object of %i levels', (depth) => {
  const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';

  it.each([
    ['POST', configMaps, 'application/json', `{"metadata":{"name":"deep"},"unknown":${nested(depth)}}`],
    ['PUT', item, 'application/json', `{"metadata":{"name":"present"},"unknown":${nested(depth)}}`],
    ['PATCH', item, 'application/merge-patch+json', `{"unknown":${nested(depth)}}`],
    ['PATCH', item, 'application/strategic-merge-patch+json', `{"unknown":${nested(depth)}}`],
    ['PATCH', item, 'application/json-patch+json', `[{"op":"add","path":"/unknown","value":${nested(depth)}}]`],
    ['POST', revisions, 'application/json', `{"metadata":{"name":"deep"},"revision":1,"data":${nested(depth)}}`],
    [
      'POST',
      `${revisions}?dryRun=All`,
      'application/json',
      `{"metadata":{"name":"dry"},"revision":1,"data":${nested(depth)}}`,
    ],
    [
      'PUT',
      `${revisions}/flat`,
      'application/json',
      `{"metadata":{"name":"flat"},"revision":1,"data":${nested(depth)}}`,
    ],
    ['PATCH', `${revisions}/flat`, 'application/merge-patch+json', `{"data":${nested(depth)}}`],
    ['PATCH', `${revisions}/flat?dryRun=All`, 'application/merge-patch+json', `{"data":${nested(depth)}}`],
    ['PATCH', `${revisions}/flat`, 'application/strategic-merge-patch+json', `{"data":${nested(depth)}}`],
    [
      'PATCH',
      `${revisions}/flat`,
      'application/json-patch+json',
      `[{"op":"replace","path":"/data","value":${nested(depth)}}]`,
    ],
    ['DELETE', `${configMaps}/absent`, 'application/json', `{"unknown":${nested(depth)}}`],
  ])('is taken or refused but breaks nothing: %s %s %s', async (method, path, type, body) => {
    await api.post(revisions, { metadata: { name: 'flat' }, revision: 1, data: {} });
    const { status, text } = await api.call(method, path, { body, headers: { 'content-type': type } });
    expect({ status, text: status < 500 ? '' : text }).toEqual({
      status: expect.toSatisfy((code) => code < 500),
      text: '',
    });
  });

  it('can be read where it was taken', async () => {
    const { status, body } = await api.get(`${revisions}?pretty=true`);
    expect(status).toBe(200);
    for (const { metadata } of body.items) expect((await api.get(`${revisions}/${metadata.name}`)).status).toBe(200);
  });
});

describe('a body of another type', () => {
  it.each([
    [
      { kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      { kind: 'Foo' },
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1"',
    ],
    [{ kind: 'ConfigMapList' }, 'converting (v1.ConfigMapList) to (core.ConfigMap): unknown conversion'],
    [{ kind: 'Status' }, 'converting (v1.Status) to (core.ConfigMap): unknown conversion'],
    [
      { kind: 'Deployment', apiVersion: 'apps/v1' },
      'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap)',
    ],
    [{ apiVersion: 'v2' }, 'ConfigMap in version "v2" cannot be handled as a ConfigMap: '],
    [{ kind: 7 }, 'cannot unmarshal number into Go struct field '],
    [{ apiVersion: ['v1'] }, 'cannot unmarshal array into Go struct field '],
    [
      { metadata: 'x' },
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field ConfigMap.metadata',
    ],
    [{ metadata: { name: 7 } }, 'cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string'],
    [
      { metadata: { labels: ['x'] } },
      'cannot unmarshal array into Go struct field ObjectMeta.metadata.labels of type map[string]string',
    ],
    [{ metadata: { name: 'x', creationTimestamp: 'yesterday' } }, 'parsing time \\"yesterday\\"'],
  ])('is refused: %j', async (sent, message) => {
    const { status, body } = await api.post(configMaps, { metadata: { name: 'x' }, ...sent });
    expect(status).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', code: 400 });
    expect(body.message).toContain(message.replaceAll('\\"', '"'));
  });

  it('is refused by its version where the group has others', async () => {
    const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
    const { status, body } = await api.post(path, { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' });
    expect(status).toBe(400);
    expect(body.message).toBe(
      'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    );
  });
});

describe('a body for another place', () => {
  it.each([
    [
      'another name',
      'PUT',
      { metadata: { name: 'other' } },
      'the name of the object (other) does not match the name on the URL (present)',
    ],
    [
      'no name',
      'PUT',
      { metadata: {} },
      'the name of the object (present based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      'PUT',
      { metadata: { name: 'present', namespace: 'kube-system' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another name',
      'PATCH',
      { metadata: { name: 'other' } },
      'the name of the object (other) does not match the name on the URL (present)',
    ],
    [
      'no name',
      'PATCH',
      { metadata: { name: null } },
      'the name of the object (present based on URL) was undeterminable: name must be provided',
    ],
    [
      'another namespace',
      'PATCH',
      { metadata: { namespace: 'kube-system' } },
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
  ])('is refused: %s in a %s', async (_what, method, sent, message) => {
    const { status, body } = method === 'PUT' ? await api.put(item, sent) : await api.patch(item, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ reason: 'BadRequest', message });
  });

  it('loses a namespace that its type does not have', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const { status, body } = await api.post(path, { metadata: { name: 'roaming', namespace: 'default' } });
    expect(status).toBe(200);
    expect(body.metadata).not.toHaveProperty('namespace');
  });

  it.each(['kube-', '-1', 'abc'])('is refused when its version is no version: %s', async (resourceVersion) => {
    const { status, body } = await api.put(item, { metadata: { name: 'present', resourceVersion } });
    expect(status).toBe(400);
    expect(body.message).toBe(`strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`);
  });
});

describe('the size of a body', () => {
  it('is limited', async () => {
    const { status, body } = await api.post(configMaps, `{"a":"${'x'.repeat(bodyLimit - 7)}"}`);
    expect(status).toBe(413);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Request entity too large: limit is 3145728',
      reason: 'RequestEntityTooLarge',
      code: 413,
    });
    expect((await api.patch(item, 'x'.repeat(bodyLimit + 1))).status).toBe(413);
    expect((await api.delete(item, { body: ' '.repeat(bodyLimit + 1) })).status).toBe(413);
  });

  it('may be exactly the limit', async () => {
    const { status } = await api.post(configMaps, `{"a":"${'x'.repeat(bodyLimit - 8)}"}`);
    expect(status).toBe(422);
  });
});

describe('media types', () => {
  it.each(['application/cbor', 'text/plain', 'application/xml', 'nonsense', 'application/json-patch+json'])(
    'are refused if nobody can read them: %s',
    async (type) => {
      const { status, body } = await api.post(configMaps, '{}', { headers: { 'content-type': type } });
      expect(status).toBe(415);
      expect(body).toMatchObject({
        reason: 'UnsupportedMediaType',
        message: expect.stringMatching(
          /^the body of the request was in an unknown format - accepted media types include: application\/json/,
        ),
        code: 415,
      });
    },
  );

  it('are understood with parameters, in any case, or when left out', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', '']) {
      const { status } = await api.put(item, { metadata: { name: 'present' } }, { headers: { 'content-type': type } });
      expect(status).toBe(200);
    }
  });

  const acceptedOnly = 'only the following media types are accepted: ';
  const served = '406: Not Acceptable\n\nAvailable representations: ';
  it.each([
    ['application/cbor', served],
    ['text/html', served],
    ['application/json;as=Other;v=v1;g=meta.k8s.io', acceptedOnly],
    ['nonsense', served],
  ])('are refused if nobody can write them: %s', async (accept, refusal) => {
    for (const [method, path, body] of [
      ['GET', item, undefined],
      ['GET', configMaps, undefined],
      ['GET', `${configMaps}?watch=1`, undefined],
      ['POST', configMaps, { metadata: { name: 'never' } }],
      ['DELETE', item, undefined],
    ] as const) {
      const response = await api.call(method, path, { body, headers: { accept } });
      expect(response.status).toBe(406);
      expect(response.headers['content-type']).toBe('application/json');
      expect(response.body.reason).toBe('NotAcceptable');
      expect(response.body.message).toMatch(refusal);
    }
    expect((await api.get(item)).status).toBe(200);
  });

  it('may have a second choice', async () => {
    const accept = 'application/json;as=Other;v=v1;g=meta.k8s.io,application/json';
    const { status, body } = await api.get(item, { headers: { accept } });
    expect(status).toBe(200);
    expect(body.kind).toBe('ConfigMap');
  });
});

describe('unknown fields', () => {
  it('are told in a header whatever they are called', async () => {
    const sent = `{"metadata":{"name":"present"},"цвет":1,"a\\"b":2,"a\\nb":3}`;
    const { status, headers } = await api.put(item, sent);
    expect(status).toBe(200);
    // Header values are bytes, which Node.js returns as Latin-1.
    expect(Buffer.from(String(headers.warning), 'latin1').toString()).toContain('299 - "unknown field \\"цвет\\""');
  });

  it('do not make the header larger than clients can take', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${'long'.repeat(300)}${index}`);
    const sent = { metadata: { name: 'present' }, ...Object.fromEntries(names.map((name) => [name, 1])) };
    const { status, headers } = await api.put(item, sent);
    expect(status).toBe(200);
    expect(String(headers.warning).length).toBeLessThan(6000);
  });
});
