import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf } from './custom-types.ts';
import { created, deniedBy, enforce, ownNamespace, ruleFor } from './policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const container = { name: 'c', image: 'registry.example.com/app:1.2' };
const pod = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [container], ...spec },
});
const withImage = (...images: string[]) =>
  pod({ containers: images.map((image, index) => ({ name: `c${index}`, image })) });

interface PublicPolicy {
  readonly name: string;
  readonly rules: readonly object[];
  readonly spec: object;
  readonly plural: string;
  readonly allowed: readonly object[];
  /** Invalid objects and the expected messages. */
  readonly denied: readonly (readonly [object: object, message: string])[];
}

// Requirements of policies in well-known policy engines.
const policies: readonly PublicPolicy[] = [
  {
    name: 'required-labels',
    rules: [ruleFor('/pods')],
    spec: {
      variables: [
        { name: 'wanted', expression: "['app', 'team']" },
        { name: 'given', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' },
        { name: 'missing', expression: 'variables.wanted.filter(label, !(label in variables.given))' },
      ],
      validations: [
        {
          expression: 'variables.missing.size() == 0',
          messageExpression: "'missing labels: ' + variables.missing.join(', ')",
        },
        {
          expression: "!('team' in variables.given) || variables.given['team'].matches('^[a-z]+$')",
          message: 'bad team',
        },
      ],
    },
    plural: 'pods',
    allowed: [pod({}, { labels: { app: 'web', team: 'shop' } })],
    denied: [
      [pod(), 'missing labels: app, team'],
      [pod({}, { labels: { app: 'web' } }), 'missing labels: team'],
      [pod({}, { labels: { app: 'web', team: 'A1' } }), 'bad team'],
    ],
  },
  {
    name: 'allowed-registries',
    rules: [ruleFor('/pods')],
    spec: {
      variables: [
        {
          name: 'containers',
          expression: 'object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : [])',
        },
      ],
      validations: [
        {
          expression: "variables.containers.all(c, c.image.startsWith('registry.example.com/'))",
          messageExpression:
            "'images from other registries: ' + variables.containers.filter(c, !c.image.startsWith('registry.example.com/')).map(c, c.image).join(', ')",
          reason: 'Forbidden',
        },
      ],
    },
    plural: 'pods',
    allowed: [withImage('registry.example.com/a', 'registry.example.com/b:1')],
    denied: [
      [
        withImage('registry.example.com/a', 'docker.io/b', 'quay.io/c'),
        'images from other registries: docker.io/b, quay.io/c',
      ],
      [pod({ initContainers: [{ name: 'i', image: 'evil' }] }), 'images from other registries: evil'],
    ],
  },
  {
    name: 'no-latest-tag',
    rules: [ruleFor('/pods')],
    spec: {
      validations: [
        {
          expression:
            "object.spec.containers.all(c, c.image.contains('@') || c.image.split('/')[c.image.split('/').size() - 1].contains(':'))",
          message: 'images need a tag',
        },
        {
          expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))",
          message: 'the tag latest is not stable',
        },
      ],
    },
    plural: 'pods',
    allowed: [withImage('host:5000/a:1'), withImage('a@sha256:0123')],
    denied: [
      [withImage('a'), 'images need a tag'],
      [withImage('host:5000/a'), 'images need a tag'],
      [withImage('a:1', 'a:latest'), 'the tag latest is not stable'],
    ],
  },
  {
    name: 'limits-set',
    rules: [ruleFor('/pods')],
    spec: {
      validations: [
        {
          expression:
            "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && ['cpu', 'memory'].all(r, r in c.resources.limits))",
          message: 'all containers need limits for cpu and memory',
        },
        {
          expression:
            "object.spec.containers.all(c, !has(c.resources.limits.memory) || quantity(c.resources.limits.memory).compareTo(quantity('1Gi')) <= 0)",
          message: 'not more than 1Gi',
        },
      ],
    },
    plural: 'pods',
    allowed: [pod({ containers: [{ ...container, resources: { limits: { cpu: '1', memory: '512Mi' } } }] })],
    denied: [
      [pod(), 'all containers need limits for cpu and memory'],
      [
        pod({ containers: [{ ...container, resources: { limits: { cpu: '1' } } }] }),
        'all containers need limits for cpu and memory',
      ],
      [
        pod({ containers: [{ ...container, resources: { limits: { cpu: '1', memory: '2Gi' } } }] }),
        'not more than 1Gi',
      ],
    ],
  },
  {
    name: 'no-host-path',
    rules: [ruleFor('/pods')],
    spec: {
      validations: [
        {
          expression: '!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))',
          message: 'host paths are forbidden',
          reason: 'Forbidden',
        },
        { expression: '!has(object.spec.hostNetwork) || !object.spec.hostNetwork' },
      ],
    },
    plural: 'pods',
    allowed: [pod(), pod({ volumes: [{ name: 'v', emptyDir: {} }] })],
    denied: [
      [pod({ volumes: [{ name: 'v', hostPath: { path: '/etc' } }] }), 'host paths are forbidden'],
      [pod({ hostNetwork: true }), 'failed expression: !has(object.spec.hostNetwork) || !object.spec.hostNetwork'],
    ],
  },
  {
    name: 'service-types',
    rules: [ruleFor('/services')],
    spec: {
      matchConditions: [
        {
          name: 'not-exempt',
          expression: "!has(object.metadata.annotations) || !('exempt' in object.metadata.annotations)",
        },
      ],
      validations: [
        {
          expression: "object.spec.type in ['ClusterIP', 'ExternalName']",
          messageExpression: "object.spec.type + ' is not offered'",
        },
      ],
    },
    plural: 'services',
    allowed: [
      { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } },
      { metadata: { name: 's', annotations: { exempt: '' } }, spec: { type: 'NodePort', ports: [{ port: 1 }] } },
    ],
    denied: [
      [{ metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 1 }] } }, 'NodePort is not offered'],
    ],
  },
];

describe.each(policies)('$name', ({ name, rules, spec, plural, allowed, denied }) => {
  let path: string;
  beforeAll(async () => {
    const { matchResources, path: pathOf } = await ownNamespace(api, name);
    await enforce(api, { name, rules, spec, binding: { matchResources } });
    path = `${pathOf(plural)}?dryRun=All`;
  });

  it.each(allowed)('allows %j', async (object) => {
    const { status, body } = await api.post(path, object);
    expect(status, body.message).toBe(200);
  });

  it.each(denied)('denies %j: %s', async (object, message) => {
    const { status, body } = await api.post(path, object);
    expect(body.message).toContain(deniedBy(name, message));
    expect(status).toBe(body.reason === 'Forbidden' ? 403 : 422);
  });
});

it('limits by a custom parameter of the namespace', async () => {
  await define(api, definitionOf({ singular: 'quotarule', group: 'rules.example.com' }));
  const { matchResources, path } = await ownNamespace(api, 'sized');
  await enforce(api, {
    name: 'max-replicas',
    rules: [ruleFor('apps/deployments')],
    spec: {
      paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Quotarule' },
      validations: [
        {
          expression: 'object.spec.replicas <= params.spec.maxReplicas',
          messageExpression: "'at most ' + string(params.spec.maxReplicas) + ' replicas'",
        },
      ],
    },
    binding: { matchResources, paramRef: { name: 'limit', parameterNotFoundAction: 'Allow' } },
  });
  const rules = '/apis/rules.example.com/v1/namespaces/sized/quotarules';
  const labels = { app: 'x' };
  const deploy = (replicas: number) =>
    api.post(`${path('deployments').replace('/api/v1', '/apis/apps/v1')}?dryRun=All`, {
      metadata: { name: 'd' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
  expect((await deploy(9)).status).toBe(200);
  await created(api, rules, {
    apiVersion: 'rules.example.com/v1',
    kind: 'Quotarule',
    metadata: { name: 'limit' },
    spec: { maxReplicas: 3 },
  });
  expect((await deploy(3)).status).toBe(200);
  expect((await deploy(4)).body.message).toBe(
    `deployments.apps "d" is forbidden: ${deniedBy('max-replicas', 'at most 3 replicas')}`,
  );
  await api.patch(`${rules}/limit`, { spec: { maxReplicas: 5 } });
  expect((await deploy(4)).status).toBe(200);
});
