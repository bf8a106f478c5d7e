import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, definitions } from './custom-types.ts';
import { bindingsPath, created, deniedBy, enforce, ownNamespace, policiesPath, ruleFor } from './policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const prefixRule = {
  expression: 'object.metadata.name.startsWith(params.data.prefix)',
  messageExpression: "'must start with ' + params.data.prefix",
};
const configMapKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const notFound = 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';

const prefixes = (name: string, prefix: string, labels = {}) => ({ metadata: { name, labels }, data: { prefix } });

describe('config maps as parameters', () => {
  it.each<[name: string, paramRef: object, secret: string, message: string | undefined]>([
    ['by name', { name: 'a', parameterNotFoundAction: 'Deny' }, 'a-1', undefined],
    ['by name, denied', { name: 'a', parameterNotFoundAction: 'Deny' }, 'b-1', 'must start with a-'],
    ['elsewhere', { name: 'a', namespace: 'default', parameterNotFoundAction: 'Deny' }, 'z-1', undefined],
    ['missing', { name: 'x', parameterNotFoundAction: 'Deny' }, 'a-1', notFound],
    ['missing, allowed', { name: 'x', parameterNotFoundAction: 'Allow' }, 'x-1', undefined],
    [
      'by label',
      { selector: { matchLabels: { use: 'yes' } }, parameterNotFoundAction: 'Deny' },
      'a-1',
      'must start with b-',
    ],
    ['by no label', { selector: { matchLabels: { use: 'no' } }, parameterNotFoundAction: 'Deny' }, 'a-1', notFound],
  ])('%s', async (name, paramRef, secret, message) => {
    const namespace = `maps-${name.replaceAll(/[^a-z]+/g, '-')}`;
    const { matchResources, path } = await ownNamespace(api, namespace);
    await api.post('/api/v1/namespaces/default/configmaps', prefixes('a', 'z-'));
    for (const [map, prefix] of [
      ['a', 'a-'],
      ['b', 'b-'],
    ] as const) {
      await created(api, path('configmaps'), prefixes(map, prefix, { use: 'yes' }));
    }
    await enforce(api, {
      name: namespace,
      rules: [ruleFor('/secrets')],
      spec: { paramKind: configMapKind, validations: [prefixRule] },
      binding: { matchResources, paramRef },
    });
    const { body } = await api.post(path('secrets'), { metadata: { name: secret } });
    expect(body.message).toBe(message && `secrets "${secret}" is forbidden: ${deniedBy(namespace, message)}`);
  });

  it('come and go', async () => {
    const { matchResources, path } = await ownNamespace(api, 'coming');
    await enforce(api, {
      name: 'coming',
      rules: [ruleFor('/secrets')],
      spec: { paramKind: configMapKind, validations: [prefixRule] },
      binding: { matchResources, paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } },
    });
    const messages: unknown[] = [];
    const attempt = async () =>
      messages.push((await api.post(`${path('secrets')}?dryRun=All`, { metadata: { name: 's' } })).body.message);
    await attempt();
    await created(api, path('configmaps'), prefixes('a', 's'));
    await attempt();
    await api.patch(`${path('configmaps')}/a`, { data: { prefix: 't' } });
    await attempt();
    await api.delete(`${path('configmaps')}/a`);
    await attempt();
    const denied = (message: string) => `secrets "s" is forbidden: ${deniedBy('coming', message)}`;
    expect(messages).toEqual([denied(notFound), undefined, denied('must start with t'), denied(notFound)]);
  });
});

describe('custom resources as parameters', () => {
  const group = 'limits.example.com';
  const paramKind = { apiVersion: `${group}/v1`, kind: 'Biglimit' };

  it('are used as soon as their type is served, and fail when it is gone', async () => {
    const { matchResources, path } = await ownNamespace(api, 'custom');
    await enforce(api, {
      name: 'custom',
      rules: [ruleFor('/configmaps')],
      spec: {
        paramKind,
        validations: [{ expression: 'size(object.data) <= params.spec.max', message: 'too many' }],
      },
      binding: { matchResources, paramRef: { name: 'one', parameterNotFoundAction: 'Deny' } },
    });
    const attempt = async () =>
      (await api.post(`${path('configmaps')}?dryRun=All`, { metadata: { name: 'm' }, data: { a: '', b: '' } })).body
        .message;
    const unknown =
      'configmaps "m" is forbidden: ValidatingAdmissionPolicy \'custom\' denied request: failed to configure policy: ' +
      `failed to find resource referenced by paramKind: '${group}/v1, Kind=Biglimit'`;
    expect(await attempt()).toBe(unknown);
    const definition = definitionOf({ singular: 'biglimit', group, scope: 'Cluster' });
    await define(api, definition);
    const denied = (message: string) => `configmaps "m" is forbidden: ${deniedBy('custom', message)}`;
    expect(await attempt()).toBe(denied(notFound));
    await created(api, `/apis/${group}/v1/biglimits`, { ...paramKind, metadata: { name: 'one' }, spec: { max: 1 } });
    expect(await attempt()).toBe(denied('too many'));
    await api.patch(`/apis/${group}/v1/biglimits/one`, { spec: { max: 2 } });
    expect(await attempt()).toBeUndefined();
    await api.patch(`${bindingsPath}/custom`, { spec: { paramRef: { namespace: 'default' } } });
    expect(await attempt()).toBe(
      denied('failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`'),
    );
    // Without its controller, the definition is not deleted. Its type is no longer served when none of its versions is.
    await api.patch(`${definitions}/${definition.metadata.name}`, {
      spec: { versions: [{ ...definition.spec.versions[0], served: false }] },
    });
    await expect.poll(attempt).toBe(unknown);
    await api.patch(`${policiesPath}/custom`, { spec: { failurePolicy: 'Ignore' } });
    expect(await attempt()).toBeUndefined();
  });
});

it('refuses namespaced parameters for cluster-scoped objects', async () => {
  await enforce(api, {
    name: 'scoped',
    rules: [ruleFor('rbac.authorization.k8s.io/clusterroles')],
    spec: { paramKind: configMapKind, validations: [prefixRule] },
    binding: {
      matchResources: { objectSelector: { matchLabels: { scoped: 'yes' } } },
      paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
    },
  });
  const { body } = await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'r', labels: { scoped: 'yes' } },
  });
  expect(body.message).toContain(
    deniedBy(
      'scoped',
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    ),
  );
});
