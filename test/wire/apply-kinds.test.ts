import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiVersionOf } from '../../src/meta/group-version.ts';
import { builtInResources, optionalResources } from '../../src/resources/index.ts';
import { loadCorpus } from '../corpus/load-corpus.ts';
import { removeObject, settledObject } from '../corpus/settled-object.ts';
import { isLong } from '../is-long.ts';
import { TestApi } from './api.ts';
import { applyAs, ownersOf } from './field-owners.ts';
import type { Typed } from './peer-codecs.ts';

const corpus = await loadCorpus();

let api: TestApi;
beforeAll(async () => {
  // A pod group needs its workload, which is not applied before it.
  const disableAdmissionPlugins = ['ServiceAccount', 'PodGroupWorkloadExists'];
  api = await TestApi.start({ runtimeConfig: 'api/all=true', disableAdmissionPlugins });
  await api.post('/api/v1/namespaces', { metadata: { name: 'corpus' } });
});
afterAll(() => api.stop());

const kinds = new Map(
  [...builtInResources, ...optionalResources].map((definition) => {
    const apiVersion = apiVersionOf(definition);
    const root = `${apiVersion === 'v1' ? '/api' : '/apis'}/${apiVersion}`;
    const path = `${root}${definition.namespaced ? '/namespaces/corpus' : ''}/${definition.resource}`;
    return [path, { apiVersion, kind: definition.kind }];
  }),
);

const inapplicable = new Set([
  // A list element lacks its key.
  '/api/v1/namespaces/corpus/serviceaccounts rich',
  // The server adds to an atomic selector, which cannot be changed back.
  '/api/v1/namespaces/corpus/pods rich',
  // The default is the current time, so the object changes with every second in which it is applied.
  ...['v1', 'v1beta2', 'v1beta1'].map((version) => `/apis/resource.k8s.io/${version}/resourceslices a taint of now`),
]);

/** Removes the fields that clients cannot set. */
function applicable({ metadata, ...rest }: Typed) {
  const { managedFields: _fields, resourceVersion: _version, creationTimestamp: _time, ...own } = metadata;
  return { ...rest, metadata: own };
}

/** Removes the owners and the version. */
function content({ metadata, ...rest }: Typed) {
  const { managedFields: _fields, resourceVersion: _version, ...own } = metadata;
  return { ...rest, metadata: own };
}

const managers = ({ metadata }: Typed): string[] =>
  (metadata.managedFields ?? []).map(({ manager }: { manager: string }) => manager).toSorted();

describe.each(corpus)('$path', ({ path, valid }) => {
  const named = valid.filter(
    ({ name, object }) => object.metadata.name !== undefined && !inapplicable.has(`${path} ${name}`),
  );
  // Only the object with the most fields is used, except in a long run.
  const selected = isLong
    ? named
    : named
        .filter(({ name }) => name !== 'as much as there may be')
        .toSorted((one, other) => JSON.stringify(other.object).length - JSON.stringify(one.object).length)
        .slice(0, 1);

  it.each(selected)('is applied by one manager after the other: $name', async ({ object, expected }) => {
    const item = `${path}/${object.metadata.name}`;
    // The label makes sure that every object has a field to own.
    const labels = { ...(object.metadata.labels as object), 'ex.io/applied': 'y' };
    const body = { ...kinds.get(path)!, ...object, metadata: { ...object.metadata, labels } };
    const made = await applyAs(api, 'm', { path: item, body });
    expect(made.body.message ?? made.status).toBe(201);
    const { metadata: _metadata, kind, apiVersion, ...rest } = made.body;
    const { metadata: _expected, ...completed } = expected;
    expect(rest).toEqual(completed);
    const present = await settledObject(api, item);
    const again = await applyAs(api, 'm', { path: item, body });
    expect([again.status, again.body]).toEqual([200, present]);

    // The other manager applies all existing fields.
    const other = await applyAs(api, 'n', { path: item, body: applicable(present) });
    expect(other.body.message ?? other.status).toBe(200);
    expect(content(other.body)).toEqual(content(present));
    // Therefore no field is removed with the first manager.
    const empty = { apiVersion, kind, metadata: { name: object.metadata.name } };
    const left = await applyAs(api, 'm', { path: item, body: empty });
    expect(left.body.message ?? left.status).toBe(200);
    expect(content(left.body)).toEqual(content(present));
    expect(managers(left.body)).not.toContain('m');

    const patched = await api.patch(`${item}?fieldManager=u`, { metadata: { annotations: { 'ex.io/x': '1' } } });
    expect(patched.body.message ?? patched.status).toBe(200);
    if (managers(left.body).length > 0) {
      expect(ownersOf(patched.body).join('\n')).toMatch(/^u\*: .*\.metadata\.annotations\.ex\.io\/x$/m);
    }
    const put = await api.put(`${item}?fieldManager=v`, patched.body);
    expect([put.status, put.body]).toEqual([200, patched.body]);
    // Other versions of the same kind use the same names.
    await removeObject(api, item);
  });
});
