import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

describe.each(['memory', 'embedded'] as const)('many replacements at once, %s storage', (storage) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await TestApi.start({ storage });
  });
  afterAll(() => api.stop());

  it('create an object once: one creates it, the others replace it', async () => {
    const path = '/api/v1/namespaces/default/configmaps/raced';
    const values = Array.from({ length: 20 }, (_, index) => String(index));
    const body = (value: string) => ({ metadata: { name: 'raced' }, data: { value } });
    const responses = await Promise.all(values.map((value) => api.put(path, body(value))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...values.slice(1).map(() => 200), 201]);
    expect(responses.map((response) => response.body.data.value)).toEqual(values);
    expect(new Set(responses.map((response) => response.body.metadata.uid)).size).toBe(1);
    expect(new Set(responses.map((response) => response.body.metadata.resourceVersion)).size).toBe(values.length);
  });
});
