import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { appliedConfigMap, applyConfigMap, configMap, configMaps, freshName } from './applied-config-maps.ts';
import { applyAs } from './field-owners.ts';
import { warningsOf } from './warnings-of.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const typed = { apiVersion: 'v1', kind: 'ConfigMap' };
const apply = (name: string, body: unknown, query = '') => applyConfigMap(api, name, { body, query });
const made = () => appliedConfigMap(api);

describe('what is not a configuration of the object', () => {
  const other = 'the namespace of the provided object does not match the namespace sent on the request';
  const unmarshal = (type: string) =>
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;

  it.each<[unknown, string]>([
    [{ kind: 'ConfigMap' }, 'invalid object type: /, Kind=ConfigMap'],
    [{ apiVersion: 'v1' }, 'invalid object type: /v1, Kind='],
    [{}, 'invalid object type: /, Kind='],
    ['', 'invalid object type: /, Kind='],
    ['null', 'invalid object type: /, Kind='],
    [{ apiVersion: 'v1', kind: 'Secret' }, 'invalid object type: /v1, Kind=Secret'],
    [{ apiVersion: 'v2', kind: 'ConfigMap' }, 'invalid object type: /v2, Kind=ConfigMap'],
    [{ apiVersion: 'apps/v1', kind: 'ConfigMap' }, 'invalid object type: apps/v1, Kind=ConfigMap'],
    [configMap('zzz'), 'the name of the object (zzz) does not match the name on the URL (NAME)'],
    [{ ...typed, metadata: { namespace: 'other' } }, other],
    [{ ...typed, metadata: { managedFields: [] } }, 'metadata.managedFields must be nil'],
    [{ ...typed, metadata: { managedFields: [{ manager: 'x' }] } }, 'metadata.managedFields must be nil'],
    [
      'a: b: c',
      'error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context',
    ],
    ['hello', unmarshal('string')],
    ['[]', unmarshal('array')],
    ['5', unmarshal('number')],
    ['true', unmarshal('bool')],
  ])('is refused: %j', async (body, message) => {
    const { name, body: before } = await made();
    const response = await apply(name, body);
    expect(response.body).toMatchObject({ code: 400, reason: 'BadRequest', message: message.replace('NAME', name) });
    expect((await api.get(`${configMaps}/${name}`)).body).toEqual(before);
  });

  it.each([
    ['without a name', { ...typed, data: { a: '1' } }],
    ['with the beginning of a name', { ...typed, metadata: { generateName: 'g-' } }],
  ])('is refused %s when there is no object', async (_case, body) => {
    const name = freshName();
    const message = `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
    expect((await apply(name, body)).body).toMatchObject({ code: 400, message });
    expect((await api.get(`${configMaps}/${name}`)).status).toBe(404);
  });

  it.each<[string, object]>([
    ['a name', { ...typed, data: { a: '2' } }],
    ['managed fields', configMap('NAME', { a: '2' }, { managedFields: null })],
    ['a time of creation', configMap('NAME', { a: '2' }, { creationTimestamp: null })],
  ])('need not have %s for an object that is there', async (_case, body) => {
    const { name } = await made();
    const response = await apply(name, JSON.parse(JSON.stringify(body).replace('NAME', name)));
    expect([response.status, response.body.data]).toEqual([200, { a: '2' }]);
  });
});

describe('what does not fit the type', () => {
  const container = { name: 'c', image: 'example.com/c:1' };
  const podSpec = (containers: unknown) => ({ template: { spec: { containers } } });
  const undeclared = 'field not declared in schema';

  it.each<[string, unknown, string]>([
    ['an unknown field', { bogus: 1 }, `.bogus: ${undeclared}`],
    [
      'several unknown fields, in order',
      { zzz: 1, spec: { foo: {} }, metadata: { bar: 1 }, aaa: null },
      `errors:\n  .aaa: ${undeclared}\n  .metadata.bar: ${undeclared}\n  .spec.foo: ${undeclared}\n  .zzz: ${undeclared}`,
    ],
    [
      'several wrong types, in order',
      { spec: { replicas: '5', paused: 1 } },
      'errors:\n  .spec.paused: expected boolean, got &{1}\n  .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'unknown fields and a wrong type, which alone is told',
      { zzz: 1, spec: { replicas: '5', foo: {} }, metadata: { bar: 1 }, aaa: null },
      '.spec.replicas: expected numeric (int or float), got string',
    ],
    ['a text for a map', { spec: 'x' }, '.spec: expected map, got &{x}'],
    ['a map for a list', { spec: podSpec({}) }, '.spec.template.spec.containers: expected list, got &{map[]}'],
    [
      'a number for a text',
      { metadata: { labels: { a: 5 } } },
      '.metadata.labels.a: expected string, got &value.valueUnstructured{Value:5}',
    ],
    ['a text for a boolean', { spec: { paused: 'true' } }, '.spec.paused: expected boolean, got &{true}'],
    [
      'the same key twice',
      { spec: podSpec([container, container]) },
      '.spec.template.spec.containers: duplicate entries for key [name="c"]',
    ],
    [
      'the same key twice, once as a default',
      { spec: podSpec([{ ...container, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }]) },
      '.spec.template.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
    ],
    [
      'the same value twice',
      { metadata: { finalizers: ['ex.io/q', 'ex.io/q'] } },
      '.metadata.finalizers: duplicate entries for key [="ex.io/q"]',
    ],
    ['metadata that is none', { metadata: 'x' }, ''],
  ])('is refused whatever the field validation: %s', async (_case, content, problem) => {
    const name = freshName();
    const { metadata, ...rest } = content as { metadata?: unknown };
    const whole = typeof metadata === 'string' ? metadata : { name, ...(metadata as object) };
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: whole, ...rest };
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const query = `&fieldValidation=${level}`;
      const response = await applyAs(api, 'm', { path: `${deployments}/${name}`, body, query });
      const what = `(/${name}; apps/v1, Kind=Deployment)`;
      const message = problem === '' ? expect.any(String) : `failed to create typed patch object ${what}: ${problem}`;
      expect(response.body).toMatchObject({ code: 400, reason: 'BadRequest', message });
    }
    expect((await api.get(`${deployments}/${name}`)).status).toBe(404);
  });

  it('is named with the namespace that the configuration gives', async () => {
    const { name } = await made();
    const { body } = await apply(name, { ...configMap(name, {}, { namespace: 'default' }), bogus: 1 });
    expect(body.message).toContain(`(default/${name}; /v1, Kind=ConfigMap): .bogus`);
  });

  it.each<[string, object, string]>([
    ['v1 Secret', { data: { a: 'plain text' } }, 'error decoding from json: illegal base64 data at input byte 5'],
    [
      'v1 ResourceQuota',
      { spec: { hard: { pods: 'many' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'coordination.k8s.io/v1 Lease',
      { spec: { renewTime: 'now' } },
      'parsing time "now" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "now" as "2006"',
    ],
    ['v1 Service', { spec: { ports: [{ port: 80.5 }] } }, 'cannot convert float64 to int32'],
    [
      'v1 Service',
      { spec: { ports: [{ port: 80, targetPort: true }] } },
      'json: cannot unmarshal bool into Go value of type int32',
    ],
  ])('is refused when the result is no object of the kind: %s %j', async (type, content, problem) => {
    const [apiVersion = '', kind = ''] = type.split(' ');
    const name = freshName();
    const path = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}/namespaces/default/${kind.toLowerCase()}s/${name}`;
    const { body } = await applyAs(api, 'm', { path, body: { apiVersion, kind, metadata: { name }, ...content } });
    const what = `${apiVersion === 'v1' ? '/v1' : apiVersion}, Kind=${kind}`;
    const message = `failed to convert new object (/${name}; ${what}) to proper version: unable to convert unstructured object to ${what}: ${problem}`;
    expect(body).toMatchObject({ code: 400, reason: 'BadRequest', message });
    expect((await api.get(path)).status).toBe(404);
  });

  it('is found by validation when the type does not tell', async () => {
    const { name } = await made();
    const { body } = await apply(name, configMap(name, { 'bad key': '2' }));
    expect(body).toMatchObject({ code: 422, details: { causes: [{ field: 'data[bad key]' }] } });
  });
});

describe('a key that is there twice', () => {
  const text = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "1"\n  a: "2"\n`;

  it('is an error, a warning or nothing', async () => {
    const { name } = await made();
    const strict = await apply(name, text(name), '&fieldValidation=Strict');
    expect(strict.body).toMatchObject({
      code: 400,
      message:
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key "a" already set in map',
    });
    for (const level of ['', '&fieldValidation=', '&fieldValidation=Warn']) {
      const warned = await apply(name, text(name), level);
      expect([warned.status, warned.body.data]).toEqual([200, { a: '2' }]);
      expect(warningsOf(warned.headers)).toEqual(['line 7: key "a" already set in map']);
    }
    const ignored = await apply(name, text(name), '&fieldValidation=Ignore');
    expect([ignored.status, warningsOf(ignored.headers)]).toEqual([200, []]);
  });

  it.each(['Warn', 'Strict'])('is not reported with a conflict (%s)', async (level) => {
    const { name } = await made();
    const query = `&fieldValidation=${level}`;
    const response = await applyAs(api, 'other', { path: `${configMaps}/${name}`, body: text(name), query });
    expect([response.status, response.body.reason, warningsOf(response.headers)]).toEqual([409, 'Conflict', []]);
  });

  it('is found in JSON, too', async () => {
    const { name } = await made();
    const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{"a":"1","a":"2"}}`;
    const { body: response } = await apply(name, body, '&fieldValidation=Strict');
    expect(response).toMatchObject({ code: 400, message: expect.stringContaining('key "a" already set in map') });
  });
});
