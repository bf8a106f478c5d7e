import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCorpus } from '../corpus/load-corpus.ts';
import { TestApi } from './api.ts';
import { type DocumentSchema, schemaErrors } from './schema-errors.ts';

type Schema = DocumentSchema & {
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
};

const corpus = await loadCorpus();

let api: TestApi;
let definitions: Readonly<Record<string, Schema>>;
const schemas: Record<string, Readonly<Record<string, Schema>>> = {};

beforeAll(async () => {
  api = await TestApi.start({
    runtimeConfig: 'api/all=true',
    disableAdmissionPlugins: ['ServiceAccount', 'PodGroupProtection', 'PodGroupWorkloadExists'],
  });
  await api.post('/api/v1/namespaces', { metadata: { name: 'corpus' } });
  definitions = (await api.get('/openapi/v2')).body.definitions;
  const index = JSON.parse((await api.get('/openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths)) {
    schemas[name] = (await api.get(serverRelativeURL)).body.components.schemas;
  }
});
afterAll(() => api.stop());

function errorsIn(object: Readonly<Record<string, unknown>>, known: Readonly<Record<string, Schema>>): string[] {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const schema = Object.values(known).find((candidate) =>
    candidate['x-kubernetes-group-version-kind']?.some(
      (own) => own.kind === kind && apiVersion === (own.group === '' ? own.version : `${own.group}/${own.version}`),
    ),
  );
  expect(schema, `${apiVersion} ${kind}`).toBeDefined();
  return [...schemaErrors(object, schema!, known)];
}

describe.each(corpus)('$path', ({ path, valid }) => {
  it.each(valid)('a strict validator accepts what the server returns: $name', async ({ object }) => {
    const { status, body } = await api.post(`${path}?dryRun=All`, object);
    expect(status).toBe(200);
    expect(errorsIn(body, definitions)).toEqual([]);
    const document = (body.apiVersion as string).includes('/') ? `apis/${body.apiVersion}` : `api/${body.apiVersion}`;
    expect(errorsIn(body, schemas[document]!)).toEqual([]);
  });
});

it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
  [
    'an unknown mode',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteSometimes'] } },
    '.spec.accessModes[0]',
  ],
  ['a number as a name', 'ConfigMap', { metadata: { name: 7 } }, '.metadata.name'],
  ['a missing field', 'Secret', { metadata: { ownerReferences: [{}] } }, '.metadata.ownerReferences[0].uid'],
  ['an unknown field', 'Service', { spec: { seletor: {} } }, '.spec.seletor'],
])('the validator refuses %s', (_about, kind, object, path) => {
  for (const known of [definitions, schemas['api/v1']!]) {
    expect(errorsIn({ apiVersion: 'v1', kind, ...object }, known).join('\n')).toContain(path);
  }
});

it('a strict validator accepts lists, errors and the events of watches', async () => {
  const { body: list } = await api.get('/api/v1/namespaces');
  const { body: missing } = await api.get('/api/v1/namespaces/missing');
  const { body: removed } = await api.delete('/api/v1/namespaces/corpus?dryRun=All');
  const watch = await api.watch('/api/v1/watch/namespaces/default');
  const event = await watch.next();
  watch.close();
  const watchEvent = 'io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent';
  for (const known of [definitions, schemas['api/v1']!]) {
    for (const object of [list, missing, removed]) expect(errorsIn(object, known)).toEqual([]);
    expect([...schemaErrors(event, known[watchEvent]!, known)]).toEqual([]);
  }
});
