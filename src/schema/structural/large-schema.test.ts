import { expect, test } from 'vitest';
import { kindShape, type Shape } from '../../merge/managed-fields/shape.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { runSync } from '../../meta/turns.ts';
import type { Schema } from '../model.ts';
import { compileKind, Findings } from '../normalize/index.ts';
import { customSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { validateCustomObject } from './validate-custom-object.ts';

/** The parts that the schemas of operators consist of. */
const quantity: JsonSchema = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$',
};
const quantities: JsonSchema = { type: 'object', additionalProperties: quantity };
const selector: JsonSchema = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
    matchExpressions: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string' },
          operator: { type: 'string' },
          values: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
        },
      },
    },
  },
};
const keyed = (items: JsonSchema, ...keys: string[]): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const condition: JsonSchema = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime'],
  properties: {
    type: { type: 'string', maxLength: 316, pattern: '^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$' },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
};
const container: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    image: { type: 'string' },
    command: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
    ports: keyed(
      {
        type: 'object',
        required: ['containerPort'],
        properties: {
          containerPort: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 },
          protocol: { type: 'string', default: 'TCP' },
        },
      },
      'containerPort',
      'protocol',
    ),
    resources: { type: 'object', properties: { limits: quantities, requests: quantities } },
    env: keyed(
      {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, value: { type: 'string', default: '' } },
      },
      'name',
    ),
  },
};
const template: JsonSchema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    spec: { type: 'object', required: ['containers'], properties: { containers: keyed(container, 'name'), selector } },
  },
};

/** Several hundred components with a pod template each. */
const components = Object.fromEntries(
  Array.from({ length: 300 }, (_, index) => [
    `component${index}`,
    {
      type: 'object',
      properties: {
        replicas: { type: 'integer', default: 1, nullable: true },
        template,
        config: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
      oneOf: [{ required: ['template'] }, { required: ['config'] }],
    } satisfies JsonSchema,
  ]),
);
const source: JsonSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: { type: 'object', properties: components },
    status: { type: 'object', properties: { conditions: keyed(condition, 'type') } },
  },
};

const spec = {
  component7: {
    replicas: null,
    template: {
      metadata: { labels: { app: 'a' } },
      spec: {
        containers: [
          {
            name: 'main',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: 1, memory: '1Gi' } },
            env: [{ name: 'A' }],
          },
        ],
      },
    },
  },
  component8: { config: { any: { thing: [1, 2] } } },
};

const kind = { group: 'sea.io', version: 'v1', kind: 'Fleet' };
const schema = customSchema(source, kind);
const compiled = compileKind({ schema, kind: 'Fleet', apiVersion: 'sea.io/v1' });

test('an object of a large type is normalized and valid', () => {
  const findings = new Findings();
  const object = compiled.normalize({ metadata: { name: 'a' }, spec }, findings);
  expect(findings.texts).toEqual([]);
  expect(object.spec).toEqual({
    component7: {
      replicas: null,
      template: {
        metadata: { labels: { app: 'a' } },
        spec: {
          containers: [
            {
              env: [{ name: 'A', value: '' }],
              name: 'main',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: { limits: { cpu: 1, memory: '1Gi' } },
            },
          ],
        },
      },
    },
    component8: { config: { any: { thing: [1, 2] } }, replicas: 1 },
  });
  expect(runSync(validateCustomObject(schema, object))).toEqual([]);
});

test('errors are found at any depth', () => {
  const object = compiled.normalize(
    {
      spec: {
        component9: {
          template: { spec: { containers: [{ ports: [{ containerPort: 0 }], resources: { limits: { cpu: 'x' } } }] } },
        },
      },
      status: { conditions: [{ type: '-', status: 'Maybe', lastTransitionTime: 'now' }] },
    },
    new Findings(),
  );
  const at = 'spec.component9.template.spec.containers[0]';
  expect(runSync(validateCustomObject(schema, object)).map(({ field }) => field)).toEqual([
    `${at}.ports[0].containerPort`,
    `${at}.resources.limits.cpu`,
    `${at}.name`,
    'status.conditions[0].lastTransitionTime',
    'status.conditions[0].status',
    'status.conditions[0].type',
  ]);
});

/** The number of nodes, and of those in which the shape for server-side apply has another type than the schema. */
function countNodes(node: Schema, shape: Shape): { nodes: number; different: number } {
  const counts = { nodes: 1, different: 0 };
  const add = (inner: Schema, innerShape: Shape) => {
    const { nodes, different } = countNodes(inner, innerShape);
    counts.nodes += nodes;
    counts.different += different;
  };
  if (node.type !== shape.type) counts.different++;
  else if (node.type === 'list' && shape.type === 'list') add(node.items, shape.items);
  else if (node.type === 'map' && shape.type === 'map') add(node.values, shape.values);
  else if (node.type === 'struct' && shape.type === 'struct') {
    for (const field of node.fields) add(field.schema, shape.fields.get(field.name)!.shape);
  }
  return counts;
}

test('every node has a shape', () => {
  const specField = schema.fields.find(({ name }) => name === 'spec')!;
  const specShape = kindShape(schema).fields.get('spec')!.shape;
  const { nodes, different } = countNodes(specField.schema, specShape);
  expect(nodes).toBeGreaterThan(9_000);
  expect(different).toBe(0);
});

test('the canonical form is stable', () => {
  const object = compiled.normalize({ metadata: { name: 'a' }, spec }, new Findings());
  const reversed = Object.fromEntries(Object.entries(object).reverse()) as unknown as ResourceObject;
  expect(JSON.stringify(compiled.normalize(reversed, new Findings()))).toBe(JSON.stringify(object));
});
