import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';
import { RawClient } from './raw-client.ts';

const core = '/api/v1/namespaces/default';
const configMaps = `${core}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let api: TestApi;
beforeAll(async () => {
  // The ranges are small, so that lost addresses and ports are noticed.
  api = await TestApi.start({ serviceClusterIpRange: '10.9.0.0/28', serviceNodePortRange: '30000-30001' });
});
afterAll(() => api.stop());

const object = (kind: string, name: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...rest,
});
const apply = (manager: string, path: string, body: unknown, query = '') =>
  applyAs(api, manager, { path, body, query });
const ports = (...values: object[]) => ({ spec: { ports: values } });

describe('what the server adds', () => {
  it('to a service is owned by nobody, and does not change by applying again', async () => {
    const path = `${core}/services/added`;
    const made = await apply('m', path, object('Service', 'added', ports({ port: 80 })));
    expect(made.status).toBe(201);
    expect(made.body.spec.clusterIP).toMatch(/^10\.9\.0\./);
    const port = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    expect(ownersOf(made.body)).toEqual([`m: ${port} ${port}.port`]);
    const again = await apply('m', path, object('Service', 'added', ports({ port: 80 })));
    expect([again.status, again.body]).toEqual([200, made.body]);
    const typed = await apply('n', path, object('Service', 'added', { spec: { type: 'NodePort' } }));
    expect([typed.status, typed.body.spec.ports[0].nodePort]).toEqual([200, expect.any(Number)]);
    expect(ownersOf(typed.body)).toEqual([`m: ${port} ${port}.port`, 'n: .spec.type']);
    const back = await apply('n', path, object('Service', 'added'));
    expect([back.status, back.body.spec.type]).toEqual([200, 'ClusterIP']);
    expect(back.body.spec.ports[0]).not.toHaveProperty('nodePort');
    expect(back.body.spec.clusterIP).toBe(made.body.spec.clusterIP);
  });

  it('is not taken by a dry run, a refusal or a conflict', async () => {
    const nodePort = { spec: { type: 'NodePort', ports: [{ port: 80 }] } };
    const path = (name: string) => `${core}/services/${name}`;
    for (let round = 0; round < 20; round++) {
      expect((await apply('m', path('dry'), object('Service', 'dry', nodePort), '&dryRun=All')).status).toBe(201);
      const bad = { spec: { ...nodePort.spec, sessionAffinity: 'Bogus' } };
      expect((await apply('m', path('bad'), object('Service', 'bad', bad))).status).toBe(422);
    }
    for (const name of ['one', 'two']) {
      expect((await apply('m', path(name), object('Service', name, nodePort))).status).toBe(201);
      for (const who of ['n', 'o']) {
        const other = { spec: { type: 'ClusterIP' } };
        expect((await apply(who, path(name), object('Service', name, other))).status).toBe(409);
      }
    }
    // There were only two node ports.
    expect((await apply('m', path('three'), object('Service', 'three', nodePort))).status).toBeGreaterThan(400);
    for (const name of ['one', 'two']) await api.delete(path(name));
  });

  it('to a pod is owned by nobody, and does not change by applying again', async () => {
    const path = `${core}/pods/plain`;
    const element = '.spec.containers[{"name":"c"}]';
    const body = object('Pod', 'plain', { spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } });
    const made = await apply('m', path, body);
    expect(made.status).toBe(201);
    expect(ownersOf(made.body)).toEqual([`m: ${element} ${element}.image ${element}.name`]);
    expect(made.body.spec.tolerations).toHaveLength(2);
    expect((await apply('m', path, body)).body).toEqual(made.body);
    const tolerations = [{ key: 'x', operator: 'Exists' }];
    const other = await apply('n', path, object('Pod', 'plain', { spec: { tolerations } }));
    expect([other.status, ownersOf(other.body)[1]]).toEqual([200, 'n: .spec.tolerations']);
  });

  it('to a namespace is owned by nobody', async () => {
    const made = await apply('m', '/api/v1/namespaces/labelled', object('Namespace', 'labelled'));
    expect(made.body).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'labelled' } },
      spec: { finalizers: ['kubernetes'] },
    });
    expect(made.body.metadata).not.toHaveProperty('managedFields');
  });

  it('is checked by admission plugins, too', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'bounded' } });
    const path = '/api/v1/namespaces/bounded';
    const hard = { configmaps: '1' };
    const { body: quota } = await api.post(`${path}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
    await api.put(`${path}/resourcequotas/q/status`, { ...quota, status: { hard, used: { configmaps: '0' } } });
    const made = await apply('m', `${path}/configmaps/a`, object('ConfigMap', 'a'));
    const refused = await apply('m', `${path}/configmaps/b`, object('ConfigMap', 'b'));
    expect([made.status, refused.status]).toEqual([201, 403]);
    expect((await apply('m', `${path}/configmaps/a`, object('ConfigMap', 'a', { data: { a: '1' } }))).status).toBe(200);
  });

  it('does not include new objects while the namespace is terminating', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'going' } });
    const path = '/api/v1/namespaces/going/configmaps';
    await api.post(path, { metadata: { name: 'held', finalizers: ['ex.io/f'] } });
    await api.delete('/api/v1/namespaces/going');
    const refused = await apply('m', `${path}/new`, object('ConfigMap', 'new'));
    expect(refused.body).toMatchObject({ code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] } });
    expect((await apply('m', `${path}/held`, object('ConfigMap', 'held', { data: { a: '1' } }))).status).toBe(200);
    await api.patch(`${path}/held`, { metadata: { finalizers: null } });
  });
});

describe('odd values', () => {
  it.each<[string, object, object | undefined, string]>([
    ['null for a map', { data: null }, undefined, 'm: .data'],
    ['null for a value', { data: { a: null } }, { a: '' }, 'm: .data.a'],
    ['an empty map', { data: {} }, undefined, 'm: .data'],
    ['an empty text', { data: { a: '' } }, { a: '' }, 'm: .data.a'],
  ])('are owned: %s', async (what, content, data, owner) => {
    const name = what.replaceAll(' ', '-');
    const { body } = await apply('m', `${configMaps}/${name}`, object('ConfigMap', name, content));
    expect([body.data, ownersOf(body)]).toEqual([data, [owner]]);
    const again = await apply('m', `${configMaps}/${name}`, object('ConfigMap', name, content));
    expect([again.status, again.body]).toEqual([200, body]);
  });

  it('are keys that have a meaning in JavaScript', async () => {
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'a.b'];
    const data = `{${keys.map((key) => `"${key}":"1"`).join()}}`;
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys"},"data":${data}}`;
    const made = await apply('m', `${configMaps}/keys`, text);
    expect(Object.entries(made.body.data)).toEqual(keys.toSorted().map((key) => [key, '1']));
    expect(ownersOf(made.body)[0]!.split(' ').slice(1).toSorted()).toEqual(
      keys.map((key) => `.data.${key}`).toSorted(),
    );
    expect((await apply('m', `${configMaps}/keys`, text)).body).toEqual(made.body);
    const other = await apply('n', `${configMaps}/keys`, text.replaceAll('"1"', '"2"'));
    expect(other.body.details.causes).toHaveLength(keys.length);
    const patched = await api.patch(`${configMaps}/keys?fieldManager=u`, '{"data":{"__proto__":"3"}}');
    expect(ownersOf(patched.body)[1]).toBe('u*: .data.__proto__');
    const less = await apply('m', `${configMaps}/keys`, object('ConfigMap', 'keys', { data: { 'a.b': '1' } }));
    expect(Object.entries(less.body.data)).toEqual([
      ['__proto__', '3'],
      ['a.b', '1'],
    ]);
  });

  it('are elements that are there twice, in an object that was not applied', async () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const containers = [{ name: 'c', image: 'example.com/c:1', env }];
    const spec = {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
    };
    await api.post(`${deployments}?fieldManager=maker`, { metadata: { name: 'twice' }, spec });
    const typed = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'twice' } };
    const more = (value: object) => ({
      ...typed,
      spec: { template: { spec: { containers: [{ name: 'c', env: [value] }] } } },
    });
    const labelled = await apply('m', `${deployments}/twice`, {
      ...typed,
      metadata: { name: 'twice', labels: { x: 'y' } },
    });
    expect([labelled.status, labelled.body.spec.template.spec.containers[0].env]).toEqual([200, env]);
    const added = await apply('n', `${deployments}/twice`, more({ name: 'B', value: '3' }));
    expect(added.body.spec.template.spec.containers[0].env).toEqual([...env, { name: 'B', value: '3' }]);
  });

  it('keep the order that the applier gives', async () => {
    const typed = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'ordered' } };
    const whole = (...names: string[]) => ({
      ...typed,
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [{ name: 'c', image: 'example.com/c:1', env: names.map((name) => ({ name, value: name })) }],
          },
        },
      },
    });
    const withVariables = (...names: string[]) => ({
      ...typed,
      spec: { template: { spec: { containers: [{ name: 'c', env: names.map((name) => ({ name, value: name })) }] } } },
    });
    const order = async (manager: string, body: object): Promise<string> => {
      const response = await apply(manager, `${deployments}/ordered`, body);
      return response.body.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name).join('');
    };
    expect(await order('m', whole('A', 'B'))).toBe('AB');
    expect(await order('n', withVariables('C', 'B'))).toBe('ACB');
    expect(await order('m', whole('B', 'A'))).toBe('CBA');
    expect(await order('m', whole('B'))).toBe('CB');
  });
});

describe('odd bodies', () => {
  const path = `${configMaps}/odd`;

  it('may be too long', async () => {
    const long = object('ConfigMap', 'odd', { data: { a: 'x'.repeat(4 << 20) } });
    expect((await apply('m', path, long)).status).toBe(413);
  });

  it.each([
    ['JSON', `{"apiVersion":"v1","kind":"ConfigMap","data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
    ['lists', `{"apiVersion":"v1","kind":"ConfigMap","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    [
      'YAML',
      `apiVersion: v1\nkind: ConfigMap\nbogus:\n${Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth + 1)}a:`).join('\n')} 1\n`,
    ],
    [
      'what is bigger than it looks',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, index) => {
        const before = String.fromCharCode(97 + index);
        const name = String.fromCharCode(98 + index);
        return `${name}: &${name} [${Array(9).fill(`*${before}`).join()}]`;
      }).join('\n')}\n`,
    ],
  ])('are refused when they are deep: %s', async (_what, body) => {
    const response = await apply('m', path, body);
    expect(response.status).toBe(400);
    expect((await api.get('/readyz')).status).toBe(200);
  });

  it('may come over HTTP/2', async () => {
    const client = new RawClient(api);
    onTestFinished(() => client.close());
    const response = await client.call('PATCH', `${configMaps}/framed?fieldManager=m`, {
      protocol: 'HTTP/2',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: JSON.stringify(object('ConfigMap', 'framed', { data: { a: '1' } })),
    });
    expect(response.status).toBe(201);
    expect(ownersOf(JSON.parse(response.bytes.toString()))).toEqual(['m: .data.a']);
  });
});

describe('what cannot be applied', () => {
  it.each([
    ['/apis/authentication.k8s.io/v1/tokenreviews/x', 'authentication.k8s.io/v1', 'TokenReview'],
    [`${core}/bindings/x`, 'v1', 'Binding'],
    [`${core}/pods/x/eviction`, 'policy/v1', 'Eviction'],
    [`${core}/serviceaccounts/default/token`, 'authentication.k8s.io/v1', 'TokenRequest'],
  ])('is refused: %s', async (path, apiVersion, kind) => {
    const { status } = await apply('m', path, { apiVersion, kind, metadata: { name: 'x' } });
    expect([404, 405]).toContain(status);
  });
});
