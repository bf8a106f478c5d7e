import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInResources } from '../../src/resources/index.ts';
import { DeleteOptions } from '../../src/schema/meta-types.ts';
import { envelope } from '../codec/envelope.ts';
import { encodeReflected } from '../codec/reflected-message.ts';
import { type ApiResponse, TestApi } from './api.ts';

const kubernetesType = 'application/vnd.kubernetes.protobuf';
const serviceType = 'application/vnd.svc.protobuf';
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

/** Encodes an object as Go clients do, with all zero values of its type. */
function message(kind: string, object: object): Buffer {
  const { schema } = builtInResources.find((resource) => resource.kind === kind)!;
  return encodeReflected(schema, object, { packed: false, zeros: true });
}

const configMap = (object: object): Buffer =>
  envelope(message('ConfigMap', object), { kind: 'ConfigMap', apiVersion: 'v1' });

function send(method: string, path: string, body: Buffer, type = kubernetesType): Promise<ApiResponse> {
  return api.call(method, path, { body, headers: { 'content-type': type, accept: 'application/json' } });
}

describe('an object in protobuf', () => {
  it.each([
    ['kubernetes', kubernetesType],
    ['service', serviceType],
    ['parameters', `${kubernetesType}; charset=utf-8`],
    ['letters', 'Application/VND.Kubernetes.Protobuf'],
  ])('is created under the media type with its %s', async (name, type) => {
    const object = { metadata: { name }, data: { b: 'ü', a: '' }, binaryData: { c: 'AAEC' } };
    const { status, headers, body } = await send('POST', configMaps, configMap(object), type);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', ...object });
    expect(body.metadata.creationTimestamp).toMatch(/^20/);
    expect((await api.get(`${configMaps}/${name}`)).body).toEqual(body);
  });

  it('becomes what the same object in JSON becomes', async () => {
    const labels = { app: 'web' };
    const container = {
      name: 'c',
      image: 'registry.example/c:1',
      ports: [{ containerPort: 80 }],
      resources: { limits: { cpu: '1500m', memory: '1Gi' } },
      readinessProbe: { httpGet: { port: 'http', path: '/' } },
      env: [{ name: 'A' }],
    };
    const spec = {
      replicas: 0,
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      template: { metadata: { labels }, spec: { containers: [container], volumes: [{ name: 'v', emptyDir: {} }] } },
    };
    const json = await api.post(deployments, { metadata: { name: 'json' }, spec });
    const raw = message('Deployment', { metadata: { name: 'protobuf' }, spec });
    const protobuf = await send('POST', deployments, envelope(raw, { kind: 'Deployment', apiVersion: 'apps/v1' }));
    expect(protobuf.status).toBe(json.status);
    expect(JSON.stringify(protobuf.body.spec)).toBe(JSON.stringify(json.body.spec));
  });

  it('need not state its type', async () => {
    const { status, body } = await send(
      'POST',
      configMaps,
      envelope(message('ConfigMap', { metadata: { name: 'quiet' } })),
    );
    expect(status).toBe(200);
    expect(body.kind).toBe('ConfigMap');
  });

  it('replaces another', async () => {
    await send('POST', configMaps, configMap({ metadata: { name: 'put' }, data: { a: '1' } }));
    const replaced = await send('PUT', `${configMaps}/put`, configMap({ metadata: { name: 'put' }, data: { b: '2' } }));
    expect(replaced.status).toBe(200);
    expect(replaced.body.data).toEqual({ b: '2' });
  });

  it('may have unknown fields', async () => {
    const unknown = Buffer.from('9a06027a7a', 'hex');
    const raw = Buffer.concat([message('ConfigMap', { metadata: { name: 'more' } }), unknown]);
    const { status, headers } = await send('POST', `${configMaps}?fieldValidation=Strict`, envelope(raw));
    expect(status).toBe(200);
    expect(headers.warning).toBeUndefined();
  });
});

describe('an invalid body', () => {
  const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const noMessage = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]';
  const secret = envelope(message('Secret', { metadata: { name: 's' } }), { kind: 'Secret', apiVersion: 'v1' });
  const cut = envelope(Buffer.from('0a5001', 'hex'), { kind: 'ConfigMap', apiVersion: 'v1' });
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), `${unrecognized}empty data (<empty>)`],
    ['text', Buffer.from('hello'), `${unrecognized}${noMessage} (68656c6c6f)`],
    [
      'JSON',
      Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"}}'),
      `${unrecognized}${noMessage} ({"apiVersion":"v1","kind":"Con ...)`,
    ],
    ['only the prefix', Buffer.from('6b387300', 'hex'), `${unrecognized}empty body (6b387300)`],
    ['garbage', Buffer.from('6b387300ffffffff', 'hex'), `${unrecognized}unexpected EOF (6b387300ffffffff)`],
    ['a message cut off', cut, 'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF'],
  ])('is refused: %s', async (_name, sent, expected) => {
    const { status, body } = await send('POST', configMaps, sent);
    expect(status).toBe(400);
    expect(body).toMatchObject({ kind: 'Status', reason: 'BadRequest', message: expected });
  });

  it('is refused: another kind', async () => {
    const { status, body } = await send('POST', configMaps, secret);
    expect(status).toBe(400);
    expect(body.message).toMatch(/: converting \(v1\.Secret\) to \(core\.ConfigMap\): unknown conversion$/);
  });

  it('is refused: no name', async () => {
    const { status, body } = await send('POST', configMaps, configMap({}));
    expect(status).toBe(422);
    expect(body.message).toContain('metadata.name: Required value: name or generateName is required');
  });

  it('is refused: a patch', async () => {
    const { status } = await send('PATCH', `${configMaps}/x`, configMap({}));
    expect(status).toBe(415);
  });

  it('is refused with the types that would do', async () => {
    const { status, body } = await send('POST', configMaps, Buffer.from('{}'), 'application/x-protobuf');
    expect(status).toBe(415);
    const accepted =
      'accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';
    expect(body.message).toBe(`the body of the request was in an unknown format - ${accepted}`);
  });
});

describe('the options of a delete in protobuf', () => {
  const options = (content: object, kind = 'DeleteOptions'): Buffer =>
    envelope(encodeReflected(DeleteOptions, content, { packed: false, zeros: true }), { kind, apiVersion: 'v1' });

  it.each([kubernetesType, serviceType])('are obeyed under %s', async (type) => {
    await api.post(configMaps, { metadata: { name: 'gone' } });
    const wrong = await send('DELETE', `${configMaps}/gone`, options({ preconditions: { uid: 'x' } }), type);
    expect(wrong.status).toBe(409);
    const dry = await send('DELETE', `${configMaps}/gone`, options({ dryRun: ['All'] }), type);
    expect(dry.status).toBe(200);
    expect((await api.get(`${configMaps}/gone`)).status).toBe(200);
    const real = await send('DELETE', `${configMaps}/gone`, options({ gracePeriodSeconds: 0 }), type);
    expect(real.status).toBe(200);
    expect((await api.get(`${configMaps}/gone`)).status).toBe(404);
  });

  it.each([
    ['text', Buffer.from('hello'), /does not appear to be a protobuf message/],
    ['a message cut off', envelope(Buffer.from('1250', 'hex')), /^unexpected EOF$/],
    ['another kind', options({}, 'ConfigMap'), /^no kind "ConfigMap" is registered for version "v1"/],
  ])('are refused: %s', async (_name, sent, expected) => {
    await api.post(configMaps, { metadata: { name: 'stays' } });
    const { status, body } = await send('DELETE', `${configMaps}/stays`, sent);
    expect(status).toBe(400);
    expect(body.message).toMatch(expected);
    expect((await api.get(`${configMaps}/stays`)).status).toBe(200);
  });
});
