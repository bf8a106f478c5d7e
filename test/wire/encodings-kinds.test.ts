import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { apiVersionOf } from '../../src/meta/group-version.ts';
import { builtInResources, optionalResources } from '../../src/resources/index.ts';
import { TestApi } from './api.ts';
import { EncodedWatch } from './encoded-watch.ts';
import { expectMeans } from './expect-means.ts';
import { decodeBody, encodeBody, encodingNames, mediaTypeOf, type Typed } from './peer-codecs.ts';
import { RawClient } from './raw-client.ts';
import { samples } from './sample-objects.ts';

const others = encodingNames.filter((encoding) => encoding !== 'json');
const streamed = ['json', 'protobuf', 'cbor'] as const;
const autoscalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

let api: TestApi;
let client: RawClient;
beforeAll(async () => {
  api = await TestApi.start({ featureGates: 'CBORServingAndStorage=true', runtimeConfig: 'api/all=true' });
  client = new RawClient(api);
});
afterAll(async () => {
  client.close();
  await api.stop();
});

async function read(path: string, encoding: EncodingName): Promise<Typed> {
  const { status, headers, bytes } = await client.get(path, mediaTypeOf[encoding]);
  expect({ path, status, type: headers['content-type'] }).toEqual({ path, status: 200, type: mediaTypeOf[encoding] });
  return decodeBody(encoding, bytes);
}

async function call(
  method: string,
  path: string,
  options: { sent: EncodingName; wanted: EncodingName; object: Typed },
) {
  const { sent, wanted, object } = options;
  const headers = { 'content-type': mediaTypeOf[sent], accept: mediaTypeOf[wanted] };
  const { status, bytes } = await client.call(method, path, { headers, body: encodeBody(sent, object) });
  const body = decodeBody(wanted, bytes);
  expect({ status, message: body.message ?? '' }).toEqual({ status: 200, message: '' });
  return body;
}

it('every type is listed in every encoding', async () => {
  for (const definition of [...builtInResources, ...optionalResources]) {
    if (!definition.verbs.includes('list')) continue;
    const apiVersion = apiVersionOf(definition);
    const path = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}/${definition.resource}`;
    const { body: inJson } = await api.get(path);
    for (const encoding of others) {
      const list = await read(path, encoding);
      const type = { encoding, kind: list.kind, apiVersion: list.apiVersion };
      expect(type).toEqual({ encoding, kind: `${definition.kind}List`, apiVersion });
      expectMeans(encoding, list, inJson);
    }
  }
});

const autoscaler: Typed = {
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'scaler' },
  spec: {
    minReplicas: 1,
    maxReplicas: 9,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    metrics: [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    ],
  },
};

describe('a type in two versions', () => {
  it.each(encodingNames)('is written in one and read in the other: %s', async (sent) => {
    const object = { ...autoscaler, metadata: { name: `scaler-${sent}` } };
    await call('POST', autoscalers('v2'), { sent, wanted: sent, object });
    for (const version of ['v1', 'v2', 'v1']) {
      const path = `${autoscalers(version)}/scaler-${sent}`;
      const one = await read(path, sent);
      expect(one.apiVersion).toBe(`autoscaling/${version}`);
      expectMeans(sent, one, (await api.get(path)).body);
      expectMeans(sent, await read(autoscalers(version), sent), (await api.get(autoscalers(version))).body);
    }
    const v1 = await read(`${autoscalers('v1')}/scaler-${sent}`, sent);
    const back = await call('PUT', `${autoscalers('v1')}/scaler-${sent}`, { sent, wanted: sent, object: v1 });
    expectMeans(sent, back, v1);
    await api.delete(`${autoscalers('v2')}/scaler-${sent}`);
  });

  it('is watched in both by many at the same time, and each gets its own', async () => {
    const representations = ['', ';as=Table;g=meta.k8s.io;v=v1', ';as=PartialObjectMetadata;g=meta.svc.io;v=v1'];
    const variants = ['v1', 'v2'].flatMap((version) =>
      streamed.flatMap((encoding) => representations.map((representation) => ({ version, encoding, representation }))),
    );
    // Each watch is opened twice, because the second one uses the cached events of the first.
    const watches = await Promise.all(
      [...variants, ...variants].map(async ({ version, encoding, representation }) => {
        const headers = { accept: `${mediaTypeOf[encoding]}${representation}` };
        const path = `${autoscalers(version)}?watch=1&resourceVersion=0`;
        const watch = new EncodedWatch(await client.open('GET', path, { headers, protocol: 'HTTP/2' }), encoding);
        onTestFinished(() => watch.close());
        return { watch, version, encoding, representation };
      }),
    );
    await api.post(autoscalers('v2'), { ...autoscaler, metadata: { name: 'shared' } });
    await api.patch(`${autoscalers('v2')}/shared`, { spec: { maxReplicas: 7 } });
    const expected = {
      v1: (await api.get(`${autoscalers('v1')}/shared`)).body,
      v2: (await api.get(`${autoscalers('v2')}/shared`)).body,
    };
    for (const { watch, version, encoding, representation } of watches) {
      expect((await watch.next())!.type).toBe('ADDED');
      const { type, object } = (await watch.next())!;
      expect(type).toBe('MODIFIED');
      const whole = expected[version as 'v1' | 'v2'];
      if (representation === '') expectMeans(encoding, object, whole);
      else if (object.kind === 'Table') expect(object.rows[0].cells[0]).toBe('shared');
      else expect(object.metadata.resourceVersion).toBe(whole.metadata.resourceVersion);
      if (representation !== '')
        expect(object.apiVersion).toBe(representation.includes('svc') ? 'meta.svc.io/v1' : 'meta.k8s.io/v1');
    }
    await api.delete(`${autoscalers('v2')}/shared`);
  });

  it.each(others)('is an event of either group: %s', async (encoding) => {
    const events = '/api/v1/namespaces/default/events';
    const name = `event-${encoding}`;
    const regarding = { kind: 'Pod', namespace: 'default', name: 'p' };
    await api.post(events, { metadata: { name }, involvedObject: regarding, reason: 'Tested', type: 'Normal' });
    for (const path of [`${events}/${name}`, `/apis/events.k8s.io/v1/namespaces/default/events/${name}`]) {
      expectMeans(encoding, await read(path, encoding), (await api.get(path)).body);
    }
  });
});

it.each(streamed)('a change is another event for each selector: %s', async (encoding) => {
  const path = await api.configMaps(`selected-${encoding}`, { a: { on: 'yes' } });
  const watches = await Promise.all(
    ['', '&labelSelector=on%3Dyes', '&labelSelector=on%3Dno'].map(async (query) => {
      const headers = { accept: mediaTypeOf[encoding] };
      const response = await client.open('GET', `${path}?watch=1&resourceVersion=0${query}`, { headers });
      const watch = new EncodedWatch(response, encoding);
      onTestFinished(() => watch.close());
      return watch;
    }),
  );
  for (const watch of watches.slice(0, 2)) expect((await watch.next())!.type).toBe('ADDED');
  const { body } = await api.patch(`${path}/a`, { metadata: { labels: { on: 'no' } } });
  const seen = await Promise.all(watches.map((watch) => watch.next()));
  expect(seen.map((event) => `${event!.type} ${event!.object.metadata.labels.on}`)).toEqual([
    'MODIFIED no',
    'DELETED yes',
    'ADDED no',
  ]);
  for (const event of seen) expect(event!.object.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
});

describe.each(encodingNames)('in %s', (encoding) => {
  const name = `part-${encoding}`;
  const deployments = samples.at(-1)!;
  const path = `${deployments.path}/${name}`;
  beforeAll(async () => {
    await api.post(deployments.path, { ...deployments.object, metadata: { name } });
  });

  it('the scale of an object is read and written', async () => {
    const scale = await read(`${path}/scale`, encoding);
    expect({ kind: scale.kind, apiVersion: scale.apiVersion }).toEqual({ kind: 'Scale', apiVersion: 'autoscaling/v1' });
    expectMeans(encoding, scale, (await api.get(`${path}/scale`)).body);
    const object = { ...scale, spec: { replicas: 3 } };
    const scaled = await call('PUT', `${path}/scale`, { sent: encoding, wanted: encoding, object });
    expect(scaled.spec.replicas).toBe(3);
    expect((await api.get(path)).body.spec.replicas).toBe(3);
  });

  it('the status of an object is read and written', async () => {
    const object = { ...(await read(`${path}/status`, encoding)), status: { replicas: 3, observedGeneration: 2 } };
    const written = await call('PUT', `${path}/status`, { sent: encoding, wanted: encoding, object });
    expect(written.status).toMatchObject({ replicas: 3, observedGeneration: 2 });
    expectMeans(encoding, written, (await api.get(path)).body);
  });

  it('responses to creates without a stored object: a token and a binding', async () => {
    await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name } });
    const token = await call('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, {
      sent: encoding,
      wanted: encoding,
      object: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec: { audiences: ['a'] } },
    });
    expect(token).toMatchObject({ kind: 'TokenRequest', spec: { audiences: ['a'] } });
    expect(token.status.token.split('.')).toHaveLength(3);

    const pods = '/api/v1/namespaces/default/pods';
    const spec = { serviceAccountName: name, containers: [{ name: 'c', image: 'registry.example/c:1' }] };
    await api.post(pods, { metadata: { name }, spec });
    const bound = await call('POST', `${pods}/${name}/binding`, {
      sent: encoding,
      wanted: encoding,
      object: { kind: 'Binding', apiVersion: 'v1', metadata: { name }, target: { kind: 'Node', name: 'n' } },
    });
    expect(bound).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await read(`${pods}/${name}`, encoding)).spec.nodeName).toBe('n');
  });

  it('a patch is answered', async () => {
    const headers = { 'content-type': 'application/merge-patch+json', accept: mediaTypeOf[encoding] };
    const body = JSON.stringify({ metadata: { labels: { patched: encoding } } });
    const response = await client.call('PATCH', path, { headers, body });
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({
      status: 200,
      type: mediaTypeOf[encoding],
    });
    expectMeans(encoding, decodeBody(encoding, response.bytes), (await api.get(path)).body);
  });

  it('a deleted collection is returned, with options in the same encoding', async () => {
    const collection = await api.configMaps(`collection-${encoding}`, { a: { x: '1' }, b: { x: '1' }, c: {} });
    const options = { sent: encoding, wanted: encoding, object: { kind: 'DeleteOptions', apiVersion: 'v1' } };
    const dry = await call('DELETE', `${collection}?labelSelector=x`, {
      ...options,
      object: { ...options.object, dryRun: ['All'] },
    });
    expect(dry.items).toHaveLength(2);
    expect((await api.get(collection)).body.items.length).toBeGreaterThan(2);
    const deleted = await call('DELETE', `${collection}?labelSelector=x`, options);
    expect(deleted.kind).toBe('ConfigMapList');
    expect(deleted.items.map(({ metadata }: Typed) => metadata.name)).toEqual(['a', 'b']);
    expect((await api.get(`${collection}?labelSelector=x`)).body.items).toEqual([]);
  });
});
