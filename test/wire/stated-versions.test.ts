import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, openSchema } from './custom-types.ts';

/** A version that a floating point number would round. */
const big = '9007199254740993';
const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const custom = '/apis/example.com/v1/namespaces/default/racks';
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] },
};
const workload = {
  metadata: { name: 'a' },
  spec: { replicas: 1, selector: { matchLabels: { app: 'x' } }, template, serviceName: 's' },
};
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await define(
    api,
    definitionOf({
      singular: 'rack',
      versions: [{ name: 'v1', schema: openSchema, subresources: { status: {}, scale } }],
    }),
  );
  const objects: readonly (readonly [string, object])[] = [
    [`${core}/configmaps`, { metadata: { name: 'a' } }],
    [custom, { apiVersion: 'example.com/v1', kind: 'Rack', metadata: { name: 'a' }, spec: { replicas: 1 } }],
    [`${core}/replicationcontrollers`, { ...workload, spec: { replicas: 1, selector: { app: 'x' }, template } }],
    [`${apps}/deployments`, workload],
    [`${apps}/replicasets`, { ...workload, spec: { ...workload.spec, serviceName: undefined } }],
    [`${apps}/statefulsets`, workload],
  ];
  for (const [path, object] of objects) expect(await api.post(path, object)).toMatchObject({ status: 200 });
});
afterAll(() => api.stop());

const scaled = [
  `${core}/replicationcontrollers`,
  `${apps}/deployments`,
  `${apps}/replicasets`,
  `${apps}/statefulsets`,
  custom,
];
const single = [...scaled.flatMap((path) => [`${path}/a`, `${path}/a/status`, `${path}/a/scale`])];
const listed = [`${core}/configmaps`, custom];
const matches = ['', '&resourceVersionMatch=Exact', '&resourceVersionMatch=NotOlderThan', '&limit=1'];

describe('a stated version', () => {
  const reads = [
    ...single.map((path) => `${path}?`),
    ...listed.flatMap((path) => matches.map((match) => `${path}?${match}`)),
  ].map((path) => [path] as const);

  // All requests wait at the same time.
  const answers = new Map<string, ReturnType<TestApi['get']>>();
  beforeAll(() => {
    for (const [path] of reads) answers.set(path, api.get(`${path}&resourceVersion=${big}`));
  });

  it.each(reads)('is named exactly if it has not been reached: %s', async (path) => {
    expect((await answers.get(path)!).body).toMatchObject({
      code: 504,
      message: expect.stringMatching(new RegExp(`^Timeout: Too large resource version: ${big}, current: \\d+$`)),
    });
  });

  it.each(reads)('is refused if it is no number: %s', async (path) => {
    const { status, body } = await api.get(`${path}&resourceVersion=abc`);
    expect(status).toBe(400);
    expect(body.message).toContain('resourceVersion: Invalid value: "abc"');
  });

  it.each(reads)('is refused if it is no 64-bit number: %s', async (path) => {
    const { status, body } = await api.get(`${path}&resourceVersion=18446744073709551616`);
    expect(status).toBe(400);
    expect(body.message).toContain('value out of range');
  });

  it.each(single)('is answered if it has been reached: %s', async (path) => {
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    const { resourceVersion } = body.metadata;
    expect((await api.get(`${path}?resourceVersion=${resourceVersion}`)).body).toEqual(body);
    expect((await api.get(`${path}?resourceVersion=0`)).body).toEqual(body);
  });
});

it('a watch names a version that has not been reached exactly', async () => {
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = await api.watch(`${core}/configmaps?${query}&resourceVersion=${big}`);
  expect((await watch.next())?.object).toMatchObject({ code: 504, message: expect.stringContaining(`: ${big},`) });
  await watch.ended;
});

it('a continue token of such a version is answered like the version', async () => {
  const text = `{"v":"meta.k8s.io/v1","rv":${big},"start":"a\\u0000"}`;
  const { body } = await api.get(`${core}/configmaps?limit=1&continue=${Buffer.from(text).toString('base64url')}`);
  expect(body).toMatchObject({ code: 504, message: expect.stringContaining(`: ${big},`) });
});

it('writes compare such a version exactly', async () => {
  const path = `${core}/configmaps/a`;
  const { metadata } = (await api.get(path)).body;
  const stale = { metadata: { ...metadata, resourceVersion: big } };
  expect(await api.put(path, stale)).toMatchObject({ status: 409 });
  expect(await api.patch(path, stale)).toMatchObject({ status: 409 });
  const refused = await api.delete(path, { body: { preconditions: { resourceVersion: big } } });
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.body.message).toContain(`(${big})`);
});
