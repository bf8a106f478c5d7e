import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonServer, startJsonServer } from '../../src/client/test-json-server.conformance.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { TestApi } from './api.ts';
import { type Definition, define, definitionOf, definitions, objectOf, pathOf } from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

interface Item {
  apiVersion: string;
  metadata: Record<string, unknown>;
  spec: { host?: string; port?: number; hostPort?: string; address?: { host: string; port: number } };
}

/** v1 has `hostPort`, v2 has `host` and `port`, v3 has `address`. */
function converted(item: Item, apiVersion: string): Item {
  const { hostPort = '', address } = item.spec;
  const [first, second] = hostPort.split(':');
  const host = address?.host ?? item.spec.host ?? first!;
  const port = address?.port ?? item.spec.port ?? Number(second);
  const specs: Record<string, Item['spec']> = {
    'example.com/v1': { hostPort: `${host}:${port}` },
    'example.com/v2': { host, port },
    'example.com/v3': { address: { host, port } },
  };
  return { ...item, apiVersion, spec: specs[apiVersion]! };
}

interface Webhook {
  readonly server: JsonServer;
  readonly definition: Definition;
  /** Changes the response of the webhook. */
  lie: (items: Item[]) => unknown[];
}

let count = 0;

/** Creates a definition whose objects are converted by a webhook. */
async function startWebhook(): Promise<Webhook> {
  const server = await startJsonServer({
    responses: [
      (response) => {
        const { request } = server.seen.at(-1)!.body as {
          request: { uid: string; desiredAPIVersion: string; objects: Item[] };
        };
        const items = request.objects.map((item) => converted(item, request.desiredAPIVersion));
        const result = { status: 'Success' };
        response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            kind: 'ConversionReview',
            apiVersion: 'apiextensions.k8s.io/v1',
            response: { uid: request.uid, convertedObjects: webhook.lie(items), result },
          }),
        );
      },
    ],
  });
  const caBundle = Buffer.from(server.authority.cert).toString('base64');
  const clientConfig = { url: `${server.url.origin}/convert`, caBundle };
  const definition = definitionOf({
    singular: `host${++count}`,
    versions: ['v1', 'v2', 'v3'],
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
  });
  const webhook: Webhook = { server, definition, lie: (items) => items };
  await define(api, definition);
  return webhook;
}

const specs: Record<string, Item['spec']> = {
  v1: { hostPort: 'a:1' },
  v2: { host: 'a', port: 1 },
  v3: { address: { host: 'a', port: 1 } },
};

describe('a webhook', () => {
  it.each(['v1', 'v2', 'v3'])('converts what is written in %s for reads in all versions', async (written) => {
    const { definition } = await startWebhook();
    const { body } = await api.post(
      pathOf(definition, { version: written }),
      objectOf(definition, 'a', { spec: specs[written]! }, written),
    );
    expect(body.spec).toEqual(specs[written]);
    for (const [version, spec] of Object.entries(specs)) {
      const path = pathOf(definition, { version });
      const { body: read } = await api.get(`${path}/a`);
      expect([read.apiVersion, read.spec]).toEqual([`example.com/${version}`, spec]);
      expect((await api.get(path)).body.items.map((item: Item) => item.spec)).toEqual([spec]);
    }
  });

  it('converts lists in chunks, watches, patches and applied configurations', async () => {
    const { definition, server } = await startWebhook();
    const [first, second] = ['v1', 'v2'].map((version) => pathOf(definition, { version }));
    const names = Array.from({ length: 5 }, (_, index) => `n${index}`);
    for (const name of names) await api.post(first!, objectOf(definition, name, { spec: specs.v1! }));
    const watch = await api.watch(`${second}?watch=1&resourceVersion=0`);
    expect(await watch.take(5)).toEqual(names.map((name) => `ADDED ${name}`));
    const chunk = (await api.get(`${second}?limit=3`)).body;
    const rest = (await api.get(`${second}?limit=3&continue=${chunk.metadata.continue}`)).body;
    const items: Item[] = [...chunk.items, ...rest.items];
    expect(items.map(({ metadata, spec }) => [metadata.name, spec])).toEqual(names.map((name) => [name, specs.v2]));

    const patched = await api.patch(`${second}/n0`, { spec: { port: 2 } });
    expect(patched.body.message).toBeUndefined();
    expect(patched.body.spec).toEqual({ host: 'a', port: 2 });
    expect((await watch.next())!.object.spec).toEqual({ host: 'a', port: 2 });
    expect((await api.get(`${first}/n0`)).body.spec).toEqual({ hostPort: 'a:2' });

    const apply = (version: string, manager: string, spec: object) =>
      api.call('PATCH', `${pathOf(definition, { version })}/n1?fieldManager=${manager}`, {
        body: objectOf(definition, 'n1', { spec }, version),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      });
    const applied = await apply('v3', 'x', { address: { host: 'a', port: 1 } });
    expect([applied.status, applied.body.message]).toEqual([200, undefined]);
    expect((await api.get(`${first}/n1`)).body.spec).toEqual({ hostPort: 'a:1' });
    watch.close();
    // Unchanged objects are not converted again.
    const calls = server.seen.length;
    for (let again = 0; again < 4; again++) await api.get(second!);
    // The thread of the watch has already converted the objects. Every other thread converts them once.
    expect(server.seen.length).toBeLessThan(calls + testedThreads);
  });

  it('is needed for objects of the version that was stored before', async () => {
    const webhook = await startWebhook();
    const { definition } = webhook;
    await api.post(pathOf(definition), objectOf(definition, 'old', { spec: specs.v1! }));
    const versions = definition.spec.versions.map((each) => ({ ...each, storage: each.name === 'v2' }));
    await api.patch(`${definitions}/${definition.metadata.name}`, { spec: { versions } });
    const second = pathOf(definition, { version: 'v2' });
    await api.post(pathOf(definition), objectOf(definition, 'new', { spec: specs.v1! }));
    expect((await api.get(second)).body.items.map(({ spec }: Item) => spec)).toEqual([specs.v2, specs.v2]);
    expect((await api.get(pathOf(definition))).body.items.map(({ spec }: Item) => spec)).toEqual([specs.v1, specs.v1]);
  });
});

describe('a webhook that fails', () => {
  const failed = (definition: Definition) =>
    `conversion webhook for example.com/v1, Kind=${definition.spec.names.kind} `;

  it('fails the requests that need it, no others, and leaves objects as they are', async () => {
    const webhook = await startWebhook();
    const { definition, server } = webhook;
    const [first, second] = ['v1', 'v2'].map((version) => pathOf(definition, { version }));
    const { metadata } = (await api.post(first!, objectOf(definition, 'a', { spec: specs.v1! }))).body;
    await server.stop();
    const down = {
      code: 500,
      message: expect.stringContaining(
        `${failed(definition)}failed: Post "${server.url.origin}/convert?timeout=30s": `,
      ),
    };
    expect((await api.get(`${second}/a`)).body).toMatchObject(down);
    expect((await api.get(second!)).body).toMatchObject(down);
    expect((await api.patch(`${second}/a`, { spec: { port: 9 } })).body).toMatchObject(down);
    const create = await api.post(second!, objectOf(definition, 'b', { spec: specs.v2! }, 'v2'));
    expect(create.body).toMatchObject({
      code: 500,
      message: expect.stringContaining('conversion webhook for example.com/v2'),
    });
    // Reads in the stored version do not call the webhook.
    const { items } = (await api.get(first!)).body;
    expect(items.map((item: Item) => [item.metadata.name, item.metadata.resourceVersion, item.spec])).toEqual([
      ['a', metadata.resourceVersion, specs.v1],
    ]);
    expect((await api.patch(`${first}/a`, { spec: { hostPort: 'b:2' } })).status).toBe(200);
    expect((await api.delete(`${first}/a`)).status).toBe(200);
  });

  const lies: [string, (items: Item[]) => unknown[], string][] = [
    [
      'another name',
      (items) => items.map((item) => ({ ...item, metadata: { ...item.metadata, name: 'x' } })),
      'returned invalid object: must have the same name: a != x',
    ],
    ['no object', () => [], 'returned 0 objects, expected 1'],
    [
      'another kind',
      (items) => items.map((item) => ({ ...item, kind: 'Other' })),
      'returned invalid object at index 0: invalid kind',
    ],
    [
      'bad labels',
      (items) => items.map((item) => ({ ...item, metadata: { ...item.metadata, labels: { 'a b': 'c' } } })),
      'returned invalid metadata: metadata.labels: Invalid value: "a b"',
    ],
  ];
  it.each(lies)('fails the request if its response is invalid: %s', async (_, lie, message) => {
    const webhook = await startWebhook();
    const { definition } = webhook;
    const [first, second] = ['v1', 'v2'].map((version) => pathOf(definition, { version }));
    const made = (await api.post(first!, objectOf(definition, 'a', { spec: specs.v1! }))).body;
    webhook.lie = lie;
    const { body } = await api.get(`${second}/a`);
    expect([body.code, body.message]).toEqual([500, expect.stringContaining(`${failed(definition)}${message}`)]);
    expect((await api.put(`${second}/a`, { ...made, apiVersion: 'example.com/v2', spec: specs.v2 })).status).toBe(500);
    // Correct responses are accepted again, and nothing was written.
    webhook.lie = (items) => items;
    const read = (await api.get(`${second}/a`)).body;
    expect([read.spec, read.metadata.resourceVersion]).toEqual([specs.v2, made.metadata.resourceVersion]);
  });

  it('ends a watch that needs it with an error', async () => {
    const webhook = await startWebhook();
    const { definition } = webhook;
    const watch = await api.watch(`${pathOf(definition, { version: 'v2' })}?watch=1`);
    webhook.lie = () => [];
    await api.post(pathOf(definition), objectOf(definition, 'a', { spec: specs.v1! }));
    const event = await watch.next();
    expect([event?.type, event?.object.message]).toEqual(['ERROR', expect.stringContaining('returned 0 objects')]);
    await watch.ended;
  });
});
