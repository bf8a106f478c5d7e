import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInResources } from '../../src/resources/index.ts';
import type { ScalarKind, Schema, StructSchema } from '../../src/schema/model.ts';
import { loadCorpus } from '../corpus/load-corpus.ts';
import { isLong } from '../is-long.ts';
import { TestApi } from './api.ts';
import { applyAs } from './field-owners.ts';

/** Values that the decoder of the kind rejects, although apply accepts them as scalars. */
const badValues: Partial<Record<ScalarKind, readonly unknown[]>> = {
  time: ['bad', '', 5, true, '2024-13-01T00:00:00Z'],
  microTime: ['bad', '', 5, true, '2024-01-01T00:00:00Z'],
  quantity: ['bad', '1.2.3', true],
  duration: ['bad'],
  bytes: ['*', 'a'],
  intOrString: [1.5, true, 2 ** 40],
  int32: [1.5, 2 ** 40],
  int64: [1.5, 1e30],
};

interface Leaf {
  readonly path: readonly (string | number)[];
  readonly kind: ScalarKind;
}

/** Yields the places of the scalars that an object has. */
function* leaves(schema: Schema, value: unknown, path: Leaf['path'] = []): Generator<Leaf> {
  if (schema.type === 'scalar') {
    yield { path, kind: schema.kind };
  } else if (schema.type === 'list') {
    for (const [index, item] of ((value ?? []) as unknown[]).entries()) {
      yield* leaves(schema.items, item, [...path, index]);
    }
  } else if (schema.type === 'map') {
    for (const [key, item] of Object.entries((value ?? {}) as object)) {
      yield* leaves(schema.values, item, [...path, key]);
    }
  } else if (schema.untagged !== true) {
    yield* members(schema, (value ?? {}) as Record<string, unknown>, path);
  }
}

/** Yields the places of scalars that the object has or could have. */
function* members(schema: StructSchema, value: Record<string, unknown>, path: Leaf['path']): Generator<Leaf> {
  for (const { name, schema: inner, inline } of schema.fields) {
    const here = inline ? path : [...path, name];
    const isThere = inline || value[name] !== undefined || inner.type === 'scalar';
    if (isThere) yield* leaves(inner, inline ? value : value[name], here);
  }
}

function withValue(object: unknown, [first, ...rest]: Leaf['path'], value: unknown): unknown {
  if (first === undefined) return value;
  const copy = Array.isArray(object) ? [...object] : { ...(object as object) };
  (copy as Record<string | number, unknown>)[first] = withValue((copy as Record<string, unknown>)[first], rest, value);
  return copy;
}

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post('/api/v1/namespaces', { metadata: { name: 'corpus' } });
});
afterAll(() => api.stop());

const corpus = await loadCorpus();
const entries = corpus.flatMap((entry) => {
  const [, root, ...segments] = entry.path.split('/');
  const [group, version] = root === 'api' ? ['', segments[0]] : segments;
  const resource = entry.path.slice(entry.path.lastIndexOf('/') + 1);
  const definition = builtInResources.find(
    (candidate) => candidate.group === group && candidate.version === version && candidate.resource === resource,
  );
  return definition?.verbs.includes('patch') ? [{ path: entry.path, definition, valid: entry.valid }] : [];
});

const seen = new Map<ScalarKind, number>();

/**
 * Yields all bad values for the first place of a kind, and one of them in turn for each further place. A long run uses
 * all values everywhere.
 */
function* chosenValues(places: Iterable<Leaf>): Generator<Leaf & { readonly bad: unknown }> {
  for (const place of places) {
    const values = badValues[place.kind] ?? [];
    const count = seen.get(place.kind) ?? 0;
    seen.set(place.kind, count + 1);
    const chosen = count === 0 || isLong ? values : values.slice(count % values.length).slice(0, 1);
    for (const bad of chosen) yield { ...place, bad };
  }
}

describe('a scalar that cannot be read is refused by apply, and never a fault of the server', () => {
  it.each(entries)('$path', async ({ path, definition, valid }) => {
    const { object } = valid
      .filter(({ name }) => isLong || name !== 'as much as there may be')
      .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0]!;
    const apiVersion = definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;
    const configuration = { ...object, apiVersion, kind: definition.kind };
    await api.post(`${path}?fieldManager=other`, configuration);
    const responses: string[] = [];
    const names = [object.metadata.name!, 'absent'];
    let turn = 0;
    for (const { path: place, bad } of chosenValues(leaves(definition.schema, configuration))) {
      const body = withValue(configuration, place, bad);
      for (const name of isLong ? names : [names[turn++ % 2]!]) {
        const named = withValue(body, ['metadata', 'name'], name);
        const query = '&force=true&dryRun=All';
        const { status } = await applyAs(api, 'm', { path: `${path}/${name}`, body: named, query });
        if (status >= 500) responses.push(`${name} ${place.join('.')} = ${JSON.stringify(bad)}: ${status}`);
      }
    }
    expect(responses).toEqual([]);
  });

  const events = 'namespaces/default/events';
  const event = { eventTime: '2024-01-01T00:00:00.000000Z', reportingInstance: 'i', action: 'a', reason: 'r' };
  const versions = [
    { root: '/api/v1', type: 'v1', own: { involvedObject: { namespace: 'default' }, reportingComponent: 'a.b/c' } },
    {
      root: '/apis/events.k8s.io/v1',
      type: 'events.k8s.io/v1',
      own: { regarding: { namespace: 'default' }, reportingController: 'a.b/c' },
    },
  ];

  it.each([
    ['v1', 'events.k8s.io/v1'],
    ['events.k8s.io/v1', 'v1'],
  ])('also where an owner has written the object in %s and another one applies %s', async (written, applied) => {
    const [first, second] = [written, applied].map((type) => versions.find((version) => version.type === type)!);
    const name = written.replace('/', '-');
    const made = { metadata: { name }, ...event, ...first!.own, type: 'Normal' };
    expect((await api.post(`${first!.root}/${events}?fieldManager=other`, made)).status).toBe(200);
    for (const eventTime of badValues.microTime!) {
      const body = { apiVersion: second!.type, kind: 'Event', metadata: { name }, ...second!.own, eventTime };
      const path = `${second!.root}/${events}/${name}`;
      const { status } = await applyAs(api, 'm', { path, body, query: '&force=true' });
      expect(status).toBe(400);
    }
  });
});
