import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInResources, optionalResources } from '../../src/resources/index.ts';
import { TestApi } from '../wire/api.ts';
import { loadCorpus } from './load-corpus.ts';
import { removeObject, settledObject } from './settled-object.ts';

const corpus = await loadCorpus();

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({
    runtimeConfig: 'api/all=true',
    // These plugins would need other objects. The test is only about the types.
    disableAdmissionPlugins: ['ServiceAccount', 'PodGroupProtection', 'PodGroupWorkloadExists'],
  });
  await api.post('/api/v1/namespaces', { metadata: { name: 'corpus' } });
});
afterAll(() => api.stop());

/** Removes values that differ for every object or that come from the path. */
function comparable({ kind: _kind, apiVersion: _apiVersion, metadata, ...rest }: Record<string, unknown>) {
  const own = { ...(metadata as Record<string, unknown>) };
  for (const field of ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'namespace']) {
    delete own[field];
  }
  return { metadata: own, ...rest };
}

describe.each(corpus)('$path', ({ path, valid, invalid }) => {
  it.each(valid)('takes and completes: $name', async ({ object, expected }) => {
    const created = await api.post(path, object);
    expect(created.body).toMatchObject({ kind: expect.not.stringMatching(/^Status$/) });
    expect(created.status).toBe(200);
    const item = `${path}/${created.body.metadata.name}`;
    const own = { metadata: comparable({ metadata: object.metadata }).metadata, ...expected };
    expect(comparable(created.body)).toEqual(own);
    const body = await settledObject(api, item);
    const { status, ...rest } = own as Record<string, unknown>;
    expect(comparable(body)).toMatchObject(rest);
    if (body.metadata.resourceVersion === created.body.metadata.resourceVersion) expect(body).toEqual(created.body);
    // Writing the object unchanged changes nothing, not even its version.
    const again = await api.put(item, body);
    expect(again.body).toEqual(body);
    // Other versions of the same kind use the same names.
    await removeObject(api, item);
  });

  it.each(invalid)('refuses: $name', async ({ object, errors }) => {
    const { status, body } = await api.post(path, object);
    expect(
      body.details?.causes?.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`),
    ).toEqual(errors);
    expect(status).toBe(422);
  });
});

it('knows every stored resource', () => {
  const stored = [...builtInResources, ...optionalResources].filter(
    ({ storage, verbs }) => storage !== undefined && verbs.includes('create'),
  );
  const paths = new Set(corpus.map(({ path }) => path));
  const missing = stored
    .map(({ group, version, namespaced, resource }) => {
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      return `${root}${namespaced ? '/namespaces/corpus' : ''}/${resource}`;
    })
    .filter((path) => !paths.has(path));
  expect(missing).toEqual([]);
});
