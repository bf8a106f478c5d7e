import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { define, definitionOf, definitions, objectOf, pathOf } from './custom-types.ts';

const definition = definitionOf({ singular: 'gauge' });

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await define(api, definition);
  await api.post(pathOf(definition), { ...objectOf(definition, 'a'), spec: { size: 1, tags: { x: 'y' } } });
});
afterAll(() => api.stop());

interface Case {
  readonly path: string;
  readonly operation: object;
}

const condition = { type: 'Checked', status: 'True', reason: 'Done', message: '', lastTransitionTime: null };
const cases: Record<string, Case> = {
  'a custom object': {
    path: `${pathOf(definition)}/a`,
    operation: { op: 'add', path: '/status', value: { phase: 'Ready' } },
  },
  'a definition': {
    path: `${definitions}/${definition.metadata.name}`,
    operation: { op: 'add', path: '/status/conditions/-', value: condition },
  },
};

describe.each(Object.keys(cases))('a JSON patch of the status of %s', (name) => {
  const { path, operation } = cases[name]!;
  const endpoint = `${path}/status?fieldManager=patcher`;

  it('changes nothing but the status, and owns nothing else', async () => {
    const before = (await api.get(path)).body;
    const { body, status } = await api.patch(endpoint, [operation], 'json');
    expect(status, body.message).toBe(200);
    expect(body.status).not.toEqual(before.status);
    expect(body.spec).toEqual(before.spec);
    expect(body.metadata.generation).toBe(before.metadata.generation);
    const entry = body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'patcher');
    expect(entry.subresource).toBe('status');
    expect(Object.keys(entry.fieldsV1)).toEqual(['f:status']);
    expect((await api.get(path)).body).toEqual(body);
  });

  it('leaves the spec as it is when it has another', async () => {
    const before = (await api.get(path)).body;
    const names = { op: 'add', path: '/spec/names', value: { plural: 'others', kind: 'Other' } };
    const { body, status } = await api.patch(endpoint, [names], 'json');
    expect(status, body.message).toBe(200);
    expect(body.spec).toEqual(before.spec);
  });
});

it('a JSON patch of a status is refused when it gives the spec another type', async () => {
  const path = `${definitions}/${definition.metadata.name}/status`;
  const { status, body } = await api.patch(path, [{ op: 'replace', path: '/spec', value: 5 }], 'json');
  expect([status, body.reason]).toEqual([422, 'Invalid']);
});

it('the error of a status of another type shows the whole object', async () => {
  const path = `${definitions}/${definition.metadata.name}/status`;
  const { body } = await api.patch(path, [{ op: 'replace', path: '/status', value: 5 }], 'json');
  expect(body.code).toBe(422);
  expect(body.message).toContain('\\"plural\\":\\"gauges\\"');
});
