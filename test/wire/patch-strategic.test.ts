import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

/** Creates a deployment with two containers. The first one has variables, ports and arguments. */
async function made(): Promise<string> {
  const name = `d${++count}`;
  const labels = { app: name };
  const first = {
    name: 'a',
    image: 'example.com/a:1',
    args: ['x', 'y'],
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
    ports: [{ containerPort: 80 }],
  };
  const spec = {
    containers: [first, { name: 'b', image: 'example.com/b:1' }],
    volumes: [{ name: 'v', emptyDir: {} }],
    tolerations: [{ key: 'k', operator: 'Exists' }],
  };
  await api.post(deployments, {
    metadata: { name, annotations: { a: '1', b: '2' } },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  return `${deployments}/${name}`;
}

const inPod = (spec: object) => ({ spec: { template: { spec } } });
const inFirst = (container: object) => inPod({ containers: [{ name: 'a', ...container }] });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Look = (deployment: any) => unknown;
const podSpec: Look = ({ spec }) => spec.template.spec;
const containers: Look = (object) =>
  (podSpec(object) as { containers: { name: string }[] }).containers.map(({ name }) => name);
const first =
  (field: string): Look =>
  (object) =>
    (podSpec(object) as { containers: Record<string, unknown>[] }).containers.find(({ name }) => name === 'a')?.[field];

describe('a strategic merge patch', () => {
  it.each<[string, object, Look, unknown]>([
    ['merges containers by name', inFirst({ image: 'example.com/a:2' }), first('image'), 'example.com/a:2'],
    ['puts a new container first', inPod({ containers: [{ name: 'c', image: 'i:1' }] }), containers, ['c', 'a', 'b']],
    ['deletes a container', inPod({ containers: [{ name: 'a', $patch: 'delete' }] }), containers, ['b']],
    ['deletes what is not there', inPod({ containers: [{ name: 'z', $patch: 'delete' }] }), containers, ['a', 'b']],
    ['replaces a list', inPod({ containers: [{ $patch: 'replace' }, { name: 'z', image: 'i:1' }] }), containers, ['z']],
    ['orders a list', inPod({ '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }), containers, ['b', 'a']],
    [
      'orders a list with a new element',
      inPod({
        '$setElementOrder/containers': [{ name: 'a' }, { name: 'c' }, { name: 'b' }],
        containers: [{ name: 'c', image: 'i:1' }],
      }),
      containers,
      ['a', 'c', 'b'],
    ],
    [
      'merges variables',
      inFirst({ env: [{ name: 'B', value: '3' }] }),
      first('env'),
      [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
      ],
    ],
    [
      'deletes a variable',
      inFirst({ env: [{ name: 'A', $patch: 'delete' }] }),
      first('env'),
      [{ name: 'B', value: '2' }],
    ],
    ['removes a list with null', inFirst({ env: null }), first('env'), undefined],
    ['replaces lists without a key', inFirst({ args: ['z'] }), first('args'), ['z']],
    [
      'knows ports by their number alone',
      inFirst({ ports: [{ containerPort: 80, protocol: 'UDP' }] }),
      first('ports'),
      [{ containerPort: 80, protocol: 'UDP' }],
    ],
    [
      'replaces a map',
      { metadata: { annotations: { $patch: 'replace', c: '3' } } },
      (o) => o.metadata.annotations,
      { c: '3' },
    ],
    ['deletes a map', { metadata: { annotations: { $patch: 'delete' } } }, (o) => o.metadata.annotations, undefined],
    [
      'drops what is not to be kept',
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      (o) => o.spec.strategy,
      { type: 'Recreate' },
    ],
    [
      'drops the other source of a volume',
      inPod({ volumes: [{ name: 'v', $retainKeys: ['name', 'secret'], secret: { secretName: 's' } }] }),
      (o) => o.spec.template.spec.volumes,
      [{ name: 'v', secret: { secretName: 's', defaultMode: 420 } }],
    ],
    ['says nothing about the kind', { kind: 'Gadget', apiVersion: 'v9' }, (o) => o.kind, 'Deployment'],
  ])('%s', async (_title, patch, look, expected) => {
    const path = await made();
    const { status, body, text } = await api.patch(path, patch, 'strategic');
    expect([status, look(body)]).toEqual([200, expected]);
    expect(text).not.toMatch(/\$patch|\$retainKeys|\$setElementOrder|\$deleteFrom/);
    expect((await api.get(path)).body).toEqual(body);
  });

  it.each<[object, number, string]>([
    [inPod({ containers: [{ image: 'i' }] }), 400, 'map: map[image:i] does not contain declared merge key: name'],
    [
      inPod({ containers: [{ name: 'a', $patch: 'foo' }] }),
      400,
      'unknown patch type: foo in map: map[$patch:foo name:a]',
    ],
    [
      inPod({ containers: [{ name: 'a', $patch: 'merge' }] }),
      400,
      'merging lists cannot yet be specified in the patch',
    ],
    [inPod({ '$setElementOrder/containers': 'x' }), 400, 'expected a []interface {}, but received a string'],
    [
      inPod({ '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b', image: 'i' }] }),
      400,
      "The order in patch list:\n[map[image:i name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [
      inPod({ volumes: [{ name: 'v', $retainKeys: ['name'], secret: { secretName: 's' } }] }),
      400,
      'invalid patch format of retainKeys',
    ],
    [
      { spec: { template: [] } },
      422,
      ' "" is invalid: patch: Invalid value: "map[spec:map[template:[]]]": cannot restore struct from: slice',
    ],
  ])('refuses %j', async (patch, code, message) => {
    const path = await made();
    const before = (await api.get(path)).body;
    expect((await api.patch(path, patch, 'strategic')).body).toMatchObject({ code, message });
    expect((await api.get(path)).body).toEqual(before);
  });

  it('unites, shortens and orders lists of plain values', async () => {
    const path = `${configMaps}/finalized`;
    const names = (...list: string[]) => list.map((name) => `example.com/${name}`);
    await api.post(configMaps, { metadata: { name: 'finalized', finalizers: names('a', 'b') } });
    const send = async (metadata: object) =>
      (await api.patch(path, { metadata }, 'strategic')).body.metadata.finalizers;
    expect(await send({ finalizers: names('c', 'a') })).toEqual(names('c', 'a', 'b'));
    expect(await send({ '$deleteFromPrimitiveList/finalizers': names('a', 'z') })).toEqual(names('c', 'b'));
    expect(await send({ '$setElementOrder/finalizers': names('b', 'c') })).toEqual(names('b', 'c'));
    expect(await send({ '$deleteFromPrimitiveList/finalizers': 'b' })).toEqual(names('b', 'c'));
    expect(await send({ finalizers: null })).toBeUndefined();
  });

  it('knows the ports of a service by their number', async () => {
    await api.post(services, { metadata: { name: 's' }, spec: { ports: [{ name: 'a', port: 80 }] } });
    const send = async (ports: object[]) =>
      (await api.patch(`${services}/s`, { spec: { ports } }, 'strategic')).body.spec.ports.map(
        ({ name, port }: { name: string; port: number }) => `${name} ${port}`,
      );
    expect(await send([{ name: 'b', port: 81 }])).toEqual(['b 81', 'a 80']);
    expect(await send([{ name: 'aa', port: 80 }])).toEqual(['b 81', 'aa 80']);
    expect(await send([{ port: 81, $patch: 'delete' }])).toEqual(['aa 80']);
  });
});
