import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, objectOf, pathOf } from './custom-types.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const text = { type: 'string' };
const rules = (...all: readonly (readonly [rule: string, message: string])[]) => ({
  'x-kubernetes-validations': all.map(([rule, message]) => ({ rule, message })),
});

/** A type whose `spec` has this schema. */
const typeOf = (singular: string, spec: object) =>
  definitionOf({
    singular,
    versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
  });

/** Entries of a service mesh: alternatives, optional lists that may be long, texts without a limit. */
const route = typeOf('route', {
  type: 'object',
  required: ['hosts'],
  properties: {
    hosts: {
      type: 'array',
      minItems: 1,
      maxItems: 256,
      items: { ...text, ...rules(["self != '*'", 'a host has a name']) },
    },
    addresses: { type: 'array', maxItems: 256, items: { ...text, maxLength: 64 } },
    resolution: { ...text, enum: ['NONE', 'STATIC', 'DNS'] },
    selector: { type: 'object', additionalProperties: { ...text, maxLength: 63 }, maxProperties: 256 },
    ports: {
      type: 'array',
      maxItems: 256,
      items: { type: 'object', required: ['number'], properties: { number: { type: 'integer' }, name: text } },
      ...rules(['self.all(a, self.exists_one(b, a.number == b.number))', 'ports differ']),
    },
    endpoints: {
      type: 'array',
      maxItems: 4096,
      items: {
        type: 'object',
        properties: {
          address: {
            ...text,
            maxLength: 256,
            ...rules(["!self.startsWith('unix://') || self.substring(7, 8) == '/'", 'a socket has an absolute path']),
          },
          network: { ...text, maxLength: 2048 },
        },
        ...rules(['has(self.address) || has(self.network)', 'an endpoint has a place']),
      },
    },
  },
  ...rules(
    ['(has(self.selector) ? 1 : 0) + (has(self.endpoints) ? 1 : 0) <= 1', 'one of selector and endpoints'],
    [
      "!(has(self.addresses) ? self.addresses : []).exists(a, a.contains('/')) || " +
        "(has(self.resolution) ? self.resolution : 'NONE') in ['NONE', 'STATIC']",
      'no ranges of addresses with names',
    ],
    ["!(has(self.resolution) ? self.resolution : 'NONE').startsWith('N') || !has(self.endpoints)", 'no endpoints'],
  ),
});

/** Groups of jobs with fields that are named like words of the language. */
const batch = typeOf('batch', {
  type: 'object',
  properties: {
    namespace: { ...text, ...rules(['self == oldSelf', 'the namespace does not change']) },
    jobs: {
      type: 'array',
      maxItems: 20,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { ...text, maxLength: 63 },
          namespace: text,
          while: { type: 'array', maxItems: 5, items: { ...text, maxLength: 63 } },
        },
      },
    },
  },
  ...rules(
    ["!has(self.namespace) || self.namespace != 'system'", 'not in the namespace of the system'],
    ['self.__namespace__ == self.namespace', 'both names are of the same field'],
    ["!has(self.jobs) || self.jobs.all(j, !has(j.namespace) || j.namespace != 'system')", 'no job of the system'],
    ["!has(self.jobs) || self.jobs.all(j, j.?while[?0].orValue('') != j.name)", 'no job waits for itself'],
  ),
});

describe.each([
  {
    type: route,
    valid: {
      hosts: ['a.example.com'],
      addresses: ['10.0.0.0/8'],
      resolution: 'STATIC',
      ports: [{ number: 80 }, { number: 443 }],
      endpoints: [{ address: 'unix:///run/a' }, { network: 'n' }],
    },
    invalid: [
      [{ selector: { a: 'b' } }, 'one of selector and endpoints'],
      [{ resolution: 'DNS' }, 'no ranges of addresses with names'],
      [{ resolution: undefined }, 'no endpoints'],
      [{ hosts: ['*'] }, 'a host has a name'],
      [{ ports: [{ number: 80 }, { number: 80 }] }, 'ports differ'],
      [{ endpoints: [{ address: 'unix://run' }] }, 'a socket has an absolute path'],
      [{ endpoints: [{}] }, 'an endpoint has a place'],
    ] as [object, string][],
  },
  {
    type: batch,
    valid: { namespace: 'work', jobs: [{ name: 'a', namespace: 'work', while: ['b'] }, { name: 'b' }] },
    invalid: [
      [{ namespace: 'system' }, 'not in the namespace of the system'],
      [{ jobs: [{ name: 'a', namespace: 'system' }] }, 'no job of the system'],
      [{ jobs: [{ name: 'a', while: ['a'] }] }, 'no job waits for itself'],
    ] as [object, string][],
  },
])('rules of $type.spec.names.plural', ({ type, valid, invalid }) => {
  beforeAll(() => define(api, type));

  it('accept a valid object', async () => {
    const { status, body } = await api.post(pathOf(type), objectOf(type, 'valid', { spec: valid }));
    expect(status, body.message).toBe(200);
  });

  it.each(invalid)('refuse %j', async (fields, message) => {
    const object = objectOf(type, 'invalid', { spec: { ...valid, ...fields } });
    const { status, body } = await api.post(`${pathOf(type)}?dryRun=All`, object);
    expect(status).toBe(422);
    expect(body.details.causes.map((cause: { message: string }) => cause.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });
});
