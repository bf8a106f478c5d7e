import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const limit = 1_572_864;

/** With these keys, the paths of the fields are as large as the fields. */
function manyKeys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}-`.padEnd(250, 'x'), '']));
}
const keys = 3_600;
/** The object fits into the store, but not together with its managed fields. */
const large = manyKeys(keys);
const tooLarge = manyKeys(2 * keys);

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({ storage: 'embedded' });
});
afterAll(() => api.stop());

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('an object that fits the store without managed fields only', () => {
  it('is created without them', async () => {
    const { status, body } = await api.post(configMaps, configMap('created', large));
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toHaveLength(keys);
    expect(body.metadata.managedFields).toBeUndefined();
    expect((await api.get(`${configMaps}/created`)).body).toEqual(body);
  });

  it.each(['PUT', 'PATCH'])('is changed without them: %s', async (method) => {
    const name = `changed-by-${method.toLowerCase()}`;
    const small = await api.post(`${configMaps}?fieldManager=m`, configMap(name, { a: 'b' }));
    expect(ownersOf(small.body)).toEqual(['m*: .data .data.a']);
    const headers = { 'content-type': `application/${method === 'PATCH' ? 'merge-patch+' : ''}json` };
    const path = `${configMaps}/${name}`;
    const { status, body } = await api.call(method, path, { body: configMap(name, large), headers });
    expect(status).toBe(200);
    expect(body.metadata.managedFields).toBeUndefined();
    expect((await api.get(path)).body).toEqual(body);
    // The object has no owners until the next apply.
    const shrunk = await api.put(path, configMap(name, { a: 'c' }));
    expect(ownersOf(shrunk.body)).toEqual([]);
  });

  it('is not applied', async () => {
    const applied = await applyAs(api, 'm', { path: `${configMaps}/applied`, body: configMap('applied', large) });
    expect(applied.status).toBe(413);
    expect((await api.get(`${configMaps}/applied`)).status).toBe(404);
  });

  it('takes no apply, because that would bring the owners of all its fields', async () => {
    const path = `${configMaps}/grown`;
    await api.post(configMaps, configMap('grown', large));
    const { status, body } = await applyAs(api, 'm', { path, body: configMap('grown', { a: 'b' }) });
    expect(status).toBe(413);
    expect(body.message).toMatch(/^Request entity too large: .* more than the limit of 1572864$/);
    expect((await api.get(path)).body.data.a).toBeUndefined();
  });
});

describe('an object that does not fit the store at all', () => {
  it('is refused with the limit, and nothing changes', async () => {
    const path = `${configMaps}/small`;
    const { body: small } = await api.post(configMaps, configMap('small', { a: 'b' }));
    const responses = [
      await api.post(configMaps, configMap('huge', tooLarge)),
      await api.put(path, configMap('small', tooLarge)),
      await api.patch(path, { data: tooLarge }),
    ];
    for (const { status, body } of responses) {
      expect(status).toBe(413);
      expect(body).toMatchObject({ kind: 'Status', reason: 'RequestEntityTooLarge', code: 413 });
      expect(body.message).toContain(`more than the limit of ${limit}`);
    }
    expect((await api.get(path)).body).toEqual(small);
    expect((await api.get(`${configMaps}/huge`)).status).toBe(404);
  });
});
