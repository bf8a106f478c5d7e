import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

/**
 * A manager, followed by `!` if it forces conflicts, its configuration and the expected owners. NAME stands for the
 * name of the object.
 */
type Step = readonly [manager: string, configuration: object, owners: readonly string[] | string];

interface Kind {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

const configMaps: Kind = { path: '/api/v1/namespaces/default/configmaps', apiVersion: 'v1', kind: 'ConfigMap' };
const deployments: Kind = {
  path: '/apis/apps/v1/namespaces/default/deployments',
  apiVersion: 'apps/v1',
  kind: 'Deployment',
};
const services: Kind = { path: '/api/v1/namespaces/default/services', apiVersion: 'v1', kind: 'Service' };
const accounts: Kind = { path: '/api/v1/namespaces/default/serviceaccounts', apiVersion: 'v1', kind: 'ServiceAccount' };

/**
 * Applies the configurations one after the other. A text instead of owners is the expected error message. Returns the
 * object at the end.
 */
async function play({ path, apiVersion, kind }: Kind, steps: readonly Step[]) {
  const name = `played-${++count}`;
  const object = `${path}/${name}`;
  for (const [index, [who, configuration, expected]] of steps.entries()) {
    const { metadata, ...rest } = configuration as { metadata?: object };
    const body = { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
    const query = who.endsWith('!') ? '&force=true' : '';
    const response = await applyAs(api, who.replace('!', ''), { path: object, body, query });
    if (typeof expected === 'string') {
      expect(response.body, `step ${index}`).toMatchObject({ kind: 'Status', message: expected.replace('NAME', name) });
    } else {
      expect(response.body.message).toBeUndefined();
      expect(ownersOf(response.body), `step ${index}`).toEqual(expected);
      expect(response.status).toBe(index === 0 ? 201 : 200);
    }
  }
  return (await api.get(object)).body;
}

const data = (values: Record<string, string>) => ({ data: values });
const finalizers = (...values: string[]) => ({ metadata: { finalizers: values } });
const containers = (...values: object[]) => ({ spec: { template: { spec: { containers: values } } } });
const web = (...values: object[]) => ({
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: values } },
  },
});
const c = (more: object = {}) => ({ name: 'c', image: 'example.com/c:1', ...more });

const around = '.spec.selector .spec.template.metadata.labels.app ';
const inC = (...fields: string[]) =>
  ['', ...fields].map((field) => `.spec.template.spec.containers[{"name":"c"}]${field}`).join(' ');
const one = (who: string, field: string) => `Apply failed with 1 conflict: conflict with "${who}": ${field}`;

describe('managers of one object', () => {
  it('own what they apply, apart and together', async () => {
    const object = await play(configMaps, [
      ['a', data({ x: '1', s: '1' }), ['a: .data.s .data.x']],
      ['b', data({ y: '1', s: '1' }), ['a: .data.s .data.x', 'b: .data.s .data.y']],
      // Fields without another owner are removed, fields with another owner stay.
      ['a', data({}), ['a: .data', 'b: .data.s .data.y']],
      ['a', {}, ['b: .data.s .data.y']],
      ['b', data({ s: '2' }), ['b: .data.s']],
    ]);
    expect(object.data).toEqual({ s: '2' });
  });

  it('cannot take from each other without force', async () => {
    const object = await play(configMaps, [
      ['a', data({ x: '1', y: '1' }), ['a: .data.x .data.y']],
      ['b', data({ x: '2' }), one('a', '.data.x')],
      ['b!', data({ x: '2' }), ['a: .data.y', 'b: .data.x']],
      ['a', data({ x: '1', y: '1' }), one('b', '.data.x')],
      // A manager that does not force keeps its other fields, and does not own the fields of the conflict.
      ['a', data({ y: '1' }), ['a: .data.y', 'b: .data.x']],
      ['b', data({ x: '3' }), ['a: .data.y', 'b: .data.x']],
    ]);
    expect(object.data).toEqual({ x: '3', y: '1' });
  });

  it('are all named in a conflict', async () => {
    const both = 'Apply failed with 2 conflicts: conflicts with "b":\n- .data.x\nconflicts with "c":\n- .data.x';
    const several =
      'Apply failed with 3 conflicts: conflicts with "a":\n- .data.x\nconflicts with "b":\n- .data.x\n- .data.y';
    await play(configMaps, [
      ['a', data({ x: '1' }), ['a: .data.x']],
      ['b', data({ x: '1', y: '1' }), ['a: .data.x', 'b: .data.x .data.y']],
      ['d', data({ x: '2', y: '2' }), several],
      ['c!', data({ x: '2' }), ['b: .data.y', 'c: .data.x']],
      ['b', data({ x: '2', y: '1' }), ['b: .data.x .data.y', 'c: .data.x']],
      ['a', data({ x: '3' }), both],
    ]);
  });

  it('are listed in the causes of a conflict', async () => {
    const path = `${configMaps.path}/caused`;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'caused' } };
    await api.post(`${configMaps.path}?fieldManager=u`, { metadata: { name: 'caused' }, data: { x: '1' } });
    await applyAs(api, 'a', { path, body: { ...body, data: { y: '1' } } });
    const { status, body: response } = await applyAs(api, 'b', { path, body: { ...body, data: { x: '2', y: '2' } } });
    expect(status).toBe(409);
    expect(response).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Apply failed with 2 conflicts: conflicts with "a":\n- .data.y\nconflicts with "u" using v1:\n- .data.x',
      reason: 'Conflict',
      details: {
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.data.y' },
          { reason: 'FieldManagerConflict', message: 'conflict with "u" using v1', field: '.data.x' },
        ],
      },
      code: 409,
    });
  });

  it('may give values as they are stored', async () => {
    const cpu = (value: string) => containers({ name: 'c', resources: { limits: { cpu: value } } });
    const owned = `a: ${around}${inC('.image', '.name', '.resources.limits.cpu')}`;
    await play(deployments, [
      ['a', web(c({ resources: { limits: { cpu: '1000m' } } })), [owned]],
      ['b', cpu('1'), [owned, `b: ${inC('.name', '.resources.limits.cpu')}`]],
      ['b', cpu('2000m'), one('a', '.spec.template.spec.containers[name="c"].resources.limits.cpu')],
    ]);
  });
});

describe('lists', () => {
  it('are owned by element if their elements have keys', async () => {
    const d = { name: 'd', image: 'example.com/d:1' };
    const inD = inC('.image', '.name').replaceAll('"c"', '"d"');
    const mine = `a: ${around}${inC('.image', '.name')}`;
    const object = await play(deployments, [
      ['a', web(c()), [mine]],
      ['b', containers(d), [mine, `b: ${inD}`]],
      ['b', containers({ name: 'c', image: 'x' }, d), one('a', '.spec.template.spec.containers[name="c"].image')],
      [
        'a',
        web(c(), { name: 'e', image: 'example.com/e:1' }),
        [`${mine} ${inC('.image', '.name').replaceAll('"c"', '"e"')}`, `b: ${inD}`],
      ],
      ['a', web(c()), [mine, `b: ${inD}`]],
    ]);
    expect(object.spec.template.spec.containers.map(({ name }: { name: string }) => name)).toEqual(['c', 'd']);
    await play(deployments, [
      ['a', web(c()), [mine]],
      ['b', containers(d), [mine, `b: ${inD}`]],
      ['b', {}, [mine]],
    ]).then(({ spec }) => expect(spec.template.spec.containers).toHaveLength(1));
  });

  it('have keys with defaults', async () => {
    const port = (protocol: string) => `.ports[{"containerPort":80,"protocol":"${protocol}"}]`;
    const tcp = [port('TCP'), `${port('TCP')}.containerPort`];
    const udp = [port('UDP'), `${port('UDP')}.containerPort`, `${port('UDP')}.protocol`];
    const owned = (...ports: string[]) => `a: ${around}${inC('.image', '.name', ...ports)}`;
    const ports = (...values: object[]) => web(c({ ports: values }));
    const named = containers({ name: 'c', ports: [{ containerPort: 80, name: 'http' }] });
    const named80 = `b: ${inC('.name', ...tcp, `${port('TCP')}.name`)}`;
    const object = await play(deployments, [
      ['a', ports({ containerPort: 80 }), [owned(...tcp)]],
      ['a', ports({ containerPort: 80, protocol: 'TCP' }), [owned(...tcp, `${port('TCP')}.protocol`)]],
      ['a', ports({ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }), [owned(...tcp, ...udp)]],
      ['b', named, [owned(...tcp, ...udp), named80]],
      ['a', ports({ containerPort: 80 }), [owned(...tcp), named80]],
    ]);
    expect(object.spec.template.spec.containers[0].ports).toEqual([
      { name: 'http', containerPort: 80, protocol: 'TCP' },
    ]);
  });

  it('are owned by value if they contain values', async () => {
    const of = (...values: string[]) => values.map((value) => `.metadata.finalizers["ex.io/${value}"]`).join(' ');
    const object = await play(configMaps, [
      ['a', finalizers('ex.io/a', 'ex.io/b'), [`a: ${of('a', 'b')}`]],
      ['b', finalizers('ex.io/c', 'ex.io/a'), [`a: ${of('a', 'b')}`, `b: ${of('a', 'c')}`]],
      ['a', finalizers('ex.io/a'), [`a: ${of('a')}`, `b: ${of('a', 'c')}`]],
      ['a', {}, [`b: ${of('a', 'c')}`]],
    ]);
    expect(object.metadata.finalizers.toSorted()).toEqual(['ex.io/a', 'ex.io/c']);
  });

  it('without either are owned whole', async () => {
    const args = (...values: string[]) => containers({ name: 'c', args: values });
    const object = await play(deployments, [
      ['a', web(c({ args: ['x', 'y'] })), [`a: ${around}${inC('.args', '.image', '.name')}`]],
      ['b', args('x', 'y', 'z'), one('a', '.spec.template.spec.containers[name="c"].args')],
      ['b', args('x', 'y'), [`a: ${around}${inC('.args', '.image', '.name')}`, `b: ${inC('.args', '.name')}`]],
      ['b!', args('z'), [`a: ${around}${inC('.image', '.name')}`, `b: ${inC('.args', '.name')}`]],
    ]);
    expect(object.spec.template.spec.containers[0].args).toEqual(['z']);
    await play(accounts, [
      [
        'a',
        { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] },
        ['a: .imagePullSecrets .secrets[{"name":"s"}]'],
      ],
      ['b', { secrets: [{ name: 't' }], imagePullSecrets: [{ name: 'q' }] }, one('a', '.imagePullSecrets')],
      ['b', { secrets: [{ name: 't' }] }, ['a: .imagePullSecrets .secrets[{"name":"s"}]', 'b: .secrets[{"name":"t"}]']],
    ]);
  });
});

describe('maps', () => {
  it('are owned by key, or whole where their keys belong together', async () => {
    const ports = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    const spec = { ports: [{ port: 80 }], selector: { a: 'b' } };
    const object = await play(services, [
      [
        'a',
        { metadata: { labels: { x: '1' } }, spec },
        [`a: .metadata.labels.x ${ports} ${ports}.port .spec.selector`],
      ],
      ['b', { spec: { selector: { c: 'd' } } }, one('a', '.spec.selector')],
      [
        'b',
        { metadata: { labels: { y: '1' } } },
        [`a: .metadata.labels.x ${ports} ${ports}.port .spec.selector`, 'b: .metadata.labels.y'],
      ],
      [
        'a',
        { spec: { ...spec, selector: { c: 'd' } } },
        [`a: ${ports} ${ports}.port .spec.selector`, 'b: .metadata.labels.y'],
      ],
    ]);
    expect([object.metadata.labels, object.spec.selector]).toEqual([{ y: '1' }, { c: 'd' }]);
  });

  it('lose fields that had a default to the default', async () => {
    const owned = `a: ${around}${inC('.image', '.name')}`;
    const strategy = { strategy: { type: 'Recreate' }, replicas: 3 };
    const object = await play(deployments, [
      [
        'a',
        { spec: { ...web(c()).spec, ...strategy } },
        [
          `a: .spec.replicas ${around.replace('.spec.template', '.spec.strategy.type .spec.template')}${inC('.image', '.name')}`,
        ],
      ],
      ['a', web(c()), [owned]],
    ]);
    expect(object.spec).toMatchObject({ replicas: 1, strategy: { type: 'RollingUpdate' } });
  });
});

describe('structs', () => {
  it.each<[string, object, string]>([
    ['a quantity that is always written', { resourceFieldRef: { resource: 'limits.cpu' } }, 'resourceFieldRef'],
    ['a field with a default', { fieldRef: { fieldPath: 'metadata.name' } }, 'fieldRef'],
  ])('differ as one value when they omit %s', async (_title, valueFrom, field) => {
    const env = (source: object) => [{ name: 'E', valueFrom: source }];
    const inE = ['', '.name', `.valueFrom.${field}`].map((each) => `.env[{"name":"E"}]${each}`);
    const owned = `a: ${around}${inC(...inE, '.image', '.name')}`;
    await play(deployments, [
      ['a', web(c({ env: env(valueFrom) })), [owned]],
      [
        'b',
        containers({ name: 'c', env: env(valueFrom) }),
        one('a', `.spec.template.spec.containers[name="c"].env[name="E"].valueFrom.${field}`),
      ],
      ['a', web(c({ env: env(valueFrom) })), [owned]],
    ]);
  });
});

describe('the result', () => {
  it('must be valid', async () => {
    const owned = `a: ${around}${inC('.image', '.name')}`;
    await play(deployments, [
      ['a', web(c()), [owned]],
      [
        'b',
        containers({ name: 'x' }),
        'Deployment.apps "NAME" is invalid: spec.template.spec.containers[1].image: Required value',
      ],
      [
        'a',
        web(c(), { image: 'z' }),
        'Deployment.apps "NAME" is invalid: spec.template.spec.containers[1].name: Required value',
      ],
    ]);
  });

  it('has the text of a secret as its bytes', async () => {
    const path = '/api/v1/namespaces/default/secrets';
    const secret = await play({ path, apiVersion: 'v1', kind: 'Secret' }, [
      ['a', { stringData: { a: 'x' } }, ['a: .stringData.a']],
      ['a', { stringData: { a: 'y' } }, ['a: .stringData.a']],
      ['a', {}, []],
      ['a', { data: { b: 'YQ==' } }, ['a: .data.b', 'before-first-apply*: .data .data.a .type']],
    ]);
    expect(secret.data).toEqual({ a: 'eQ==', b: 'YQ==' });
  });
});
