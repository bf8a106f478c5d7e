import { describe, expect, test } from 'vitest';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { builtInKinds, builtInResources, groupOrder } from '../../resources/index.ts';
import { customDefinition, customScale, customStatus } from '../discovery/custom-definition.conformance.ts';
import type { Descriptions } from './descriptions.ts';
import { pathItems } from './document-contents.ts';
import { KindIndex } from './kind-index.ts';
import { openApiEntries } from './openapi-document.ts';
import { OpenApiDocuments } from './openapi-documents.ts';

type Json = Record<string, unknown>;
type Operations = Record<string, { readonly operationId?: string }>;

interface Document {
  readonly paths: Record<string, Operations>;
  readonly definitions: Record<string, Json>;
  readonly components: { readonly schemas: Record<string, Json> };
}

const media = { objects: ['application/json', 'proto'], bodies: ['*/*'], streams: [], patches: ['merge', 'strategic'] };
const customMedia = { objects: ['application/json'], bodies: ['application/json'], streams: [], patches: ['merge'] };

/** The documents of a set of types that can be replaced. Records what is written. */
class ChangingDocuments {
  readonly #catalog = {
    generation: 0,
    definitions: (): readonly ResourceDefinition[] => [],
    kinds: () => builtInKinds,
    groupOrder,
  };
  /** The kinds whose schemas have been written since this was last emptied. */
  readonly written: string[] = [];
  readonly descriptions: Descriptions = {
    type: () => undefined,
    field: (typeName, field) => {
      const isKind = field === 'metadata' && !typeName.startsWith('meta/') && !typeName.endsWith('List');
      if (isKind) this.written.push(typeName);
      return undefined;
    },
  };
  readonly documents = new OpenApiDocuments({
    catalog: this.#catalog,
    media,
    customMedia,
    descriptions: this.descriptions,
  });

  serve(definitions: readonly ResourceDefinition[]): void {
    this.#catalog.definitions = () => definitions;
    this.#catalog.generation += 1;
  }

  async names(): Promise<string[]> {
    const { body } = await this.documents.index();
    return Object.keys((JSON.parse(body.toString()) as { paths: object }).paths);
  }

  async openApi(name: string): Promise<Document> {
    return JSON.parse((await (await this.documents.openApi(name))!.bytes('json')).toString());
  }

  async swagger(): Promise<Document> {
    return JSON.parse((await (await this.documents.swagger()).bytes('json')).toString());
  }
}

function serving(...definitions: readonly ResourceDefinition[]): ChangingDocuments {
  const documents = new ChangingDocuments();
  documents.serve(definitions);
  return documents;
}

const widgets = customDefinition({ subresources: [customStatus('Widget'), customScale] });
const clusterOptions = customDefinition({
  resource: 'clusteroptions',
  kind: 'ClusterOptions',
  namespaced: false,
  subresources: [customStatus('ClusterOptions')],
});

const referencesOf = (document: object): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
const resolve = (document: object, path: string): unknown =>
  path.split('/').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);

describe('custom types', () => {
  const both = serving(...builtInResources, widgets, clusterOptions);

  test('have the operations of their verbs and subresources', async () => {
    const { paths } = await both.openApi('apis/ex.io/v1');
    const ids = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : `${operationId}: ${method} ${path.replace('/apis/ex.io/v1', '')}`,
      ),
    );
    const all = '/namespaces/{namespace}/widgets';
    expect(ids.toSorted()).toEqual([
      'createExIoV1ClusterOptions: post /clusteroptions',
      `createExIoV1NamespacedWidget: post ${all}`,
      'deleteExIoV1ClusterOptions: delete /clusteroptions/{name}',
      'deleteExIoV1CollectionClusterOptions: delete /clusteroptions',
      `deleteExIoV1CollectionNamespacedWidget: delete ${all}`,
      `deleteExIoV1NamespacedWidget: delete ${all}/{name}`,
      'listExIoV1ClusterOptions: get /clusteroptions',
      `listExIoV1NamespacedWidget: get ${all}`,
      'listExIoV1WidgetForAllNamespaces: get /widgets',
      'patchExIoV1ClusterOptions: patch /clusteroptions/{name}',
      'patchExIoV1ClusterOptionsStatus: patch /clusteroptions/{name}/status',
      `patchExIoV1NamespacedWidget: patch ${all}/{name}`,
      `patchExIoV1NamespacedWidgetScale: patch ${all}/{name}/scale`,
      `patchExIoV1NamespacedWidgetStatus: patch ${all}/{name}/status`,
      'readExIoV1ClusterOptions: get /clusteroptions/{name}',
      'readExIoV1ClusterOptionsStatus: get /clusteroptions/{name}/status',
      `readExIoV1NamespacedWidget: get ${all}/{name}`,
      `readExIoV1NamespacedWidgetScale: get ${all}/{name}/scale`,
      `readExIoV1NamespacedWidgetStatus: get ${all}/{name}/status`,
      'replaceExIoV1ClusterOptions: put /clusteroptions/{name}',
      'replaceExIoV1ClusterOptionsStatus: put /clusteroptions/{name}/status',
      `replaceExIoV1NamespacedWidget: put ${all}/{name}`,
      `replaceExIoV1NamespacedWidgetScale: put ${all}/{name}/scale`,
      `replaceExIoV1NamespacedWidgetStatus: put ${all}/{name}/status`,
    ]);
  });

  test('have no documents about discovery', async () => {
    const names = await both.names();
    expect(names).toContain('apis/ex.io/v1');
    expect(names).not.toContain('apis/ex.io');
    expect((await both.swagger()).paths).not.toHaveProperty(['/apis/ex.io/v1/']);
  });

  test('are in the Swagger document, which is complete in itself', async () => {
    const document = await both.swagger();
    expect(document.definitions).toHaveProperty(['io.ex.v1.Widget']);
    expect(document.definitions).toHaveProperty(['io.ex.v1.ClusterOptionsList']);
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/apis/ex.io/'))).toHaveLength(8);
    expect(referencesOf(document).filter((path) => resolve(document, path) === undefined)).toEqual([]);
  });

  test('need no built-in types beside them', async () => {
    const alone = serving(widgets);
    for (const document of [await alone.swagger(), await alone.openApi('apis/ex.io/v1')]) {
      const references = referencesOf(document);
      expect(references.length).toBeGreaterThan(0);
      expect(references.filter((path) => resolve(document, path) === undefined)).toEqual([]);
    }
  });

  test('have their own media types', async () => {
    const item = (await both.swagger()).paths['/apis/ex.io/v1/namespaces/{namespace}/widgets/{name}'];
    expect(item).toMatchObject({
      get: { produces: customMedia.objects },
      put: { consumes: customMedia.bodies },
      patch: { consumes: customMedia.patches },
    });
    expect((await both.swagger()).paths['/api/v1/nodes/{name}']).toMatchObject({ get: { produces: media.objects } });
  });

  test('are not among the kinds of shared types', async () => {
    const { definitions } = await both.swagger();
    expect(JSON.stringify(definitions['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'])).not.toContain('ex.io');
  });

  test('in protobuf', async () => {
    const swagger = await both.documents.swagger();
    const bytes = await swagger.bytes('protobuf');
    expect(bytes.includes('io.ex.v1.WidgetList')).toBe(true);
    expect(bytes.includes('readExIoV1NamespacedWidgetScale')).toBe(true);
  });
});

test('a type comes and goes', async () => {
  const changing = serving(...builtInResources);
  const before = await changing.documents.swagger();
  expect(await changing.documents.openApi('apis/ex.io/v1')).toBeUndefined();
  changing.serve([...builtInResources, widgets]);
  expect(await changing.documents.openApi('apis/ex.io/v1')).toBeDefined();
  expect((await changing.documents.swagger()).hash).not.toBe(before.hash);
  changing.serve([...builtInResources]);
  expect(await changing.documents.openApi('apis/ex.io/v1')).toBeUndefined();
  expect((await changing.documents.swagger()).hash).toBe(before.hash);
});

test('servers share the documents about the types that they have built in', async () => {
  const descriptions: Descriptions = { type: () => undefined, field: () => undefined };
  const serverWith = (definitions: readonly ResourceDefinition[], { objects = media.objects } = {}) => {
    // Each server has its own definitions.
    const own = definitions.map((definition) => ({ ...definition, subresources: [...definition.subresources] }));
    const catalog = { generation: 1, definitions: () => own, kinds: () => builtInKinds, groupOrder };
    return new OpenApiDocuments({ catalog, media: { ...media, objects }, customMedia, descriptions });
  };
  const batch = builtInResources.filter(({ group }) => group === 'batch');
  const custom = customDefinition({ group: 'ex.io', resource: 'boats', kind: 'Boat' });
  const document = (documents: OpenApiDocuments, name = 'apis/batch/v1') => documents.openApi(name);
  const first = await document(serverWith(batch));
  expect(await document(serverWith([...batch, custom]))).toBe(first);
  const others = [
    serverWith(batch, { objects: ['application/yaml'] }),
    serverWith(batch.slice(1)),
    serverWith(batch.map((definition) => ({ ...definition, verbs: ['get'] }))),
    serverWith(batch.map((definition) => ({ ...definition, subresources: [] }))),
  ];
  const hashes = await Promise.all([...others.map(async (other) => (await document(other))!.hash), first!.hash]);
  expect(new Set(hashes).size).toBe(hashes.length);
  const customs = [serverWith([custom]), serverWith([custom])].map((each) => document(each, 'apis/ex.io/v1'));
  const [one, other] = await Promise.all(customs);
  expect(one!.hash).toBe(other!.hash);
  expect(one).not.toBe(other);
});

test('a changed schema changes the documents', async () => {
  const changing = serving(widgets);
  const hashes = async () => {
    const [swagger, openApi, index] = await Promise.all([
      changing.documents.swagger(),
      changing.documents.openApi('apis/ex.io/v1'),
      changing.documents.index(),
    ]);
    return [swagger.hash, openApi!.hash, index.body.toString()];
  };
  const before = await hashes();
  changing.serve([{ ...widgets }]);
  expect(await hashes()).toEqual(before);
  changing.serve([{ ...widgets, published: { type: 'object', description: 'changed' } }]);
  const after = await hashes();
  expect(after.filter((hash) => before.includes(hash))).toEqual([]);
  expect(after[2]).toContain(`/openapi/v3/apis/ex.io/v1?hash=${after[1]}`);
});

test('a custom type with integers that only a bigint represents', async () => {
  const long = { type: 'integer', default: 9223372036854775807n };
  const changing = serving(customDefinition({ published: { type: 'object', properties: { long } } }));
  const document = await changing.documents.openApi('apis/ex.io/v1');
  expect((await document!.bytes('json')).toString()).toContain('"default":9223372036854775807');
});

describe('the documents of 200 custom types', async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    customDefinition({
      group: `g${Math.floor(index / 5)}.ex.io`,
      resource: `things${index}`,
      kind: `Thing${index}`,
      published: { type: 'object', properties: { spec: { type: 'object' } } },
    }),
  );
  const changing = serving(...builtInResources, ...many);

  test('building leaves turns to others', async () => {
    let turns = 0;
    let isBuilding = true;
    const count = (): void => {
      turns += 1;
      if (isBuilding) setImmediate(count);
    };
    setImmediate(count);
    await changing.documents.swagger();
    await changing.documents.index();
    isBuilding = false;
    // Each of the 40 group versions yields at least once.
    expect(turns).toBeGreaterThan(40);
  });

  test('no step writes more than one path or one schema', () => {
    const context = { kinds: new KindIndex([]), descriptions: changing.descriptions, media };
    const steps = openApiEntries(
      pathItems({ fixed: [], definitions: many }, () => context),
      context,
    );
    let count = 0;
    while (!steps.next().done) count += 1;
    const written = 3 * many.length + 2 * many.length;
    // Each document is computed and encoded.
    expect(count).toBeGreaterThan(2 * written);
  });

  test('one change rebuilds one group version', async () => {
    const before = new Map(
      await Promise.all(
        (await changing.names()).map(async (name) => [name, await changing.documents.openApi(name)] as const),
      ),
    );
    await changing.documents.swagger();
    changing.written.length = 0;
    const changed = many.map((definition, index) =>
      index === 100 ? { ...definition, published: { type: 'object', title: 'changed' } } : definition,
    );
    changing.serve([...builtInResources, ...changed]);
    await changing.documents.swagger();
    await changing.documents.index();
    const names = await changing.names();
    expect(names).toEqual([...before.keys()]);
    const rebuilt: string[] = [];
    for (const name of names) if ((await changing.documents.openApi(name)) !== before.get(name)) rebuilt.push(name);
    expect(rebuilt).toEqual(['apis/g20.ex.io/v1']);
    // Once for each dialect.
    const siblings = ['100', '101', '102', '103', '104'].map((number) => `g20.ex.io/v1.Thing${number}`);
    expect(changing.written.toSorted()).toEqual(siblings.flatMap((name) => [name, name]));
  });

  test('nothing is built that nobody asks for', async () => {
    const fresh = serving(...builtInResources, ...many);
    await fresh.documents.openApi('apis/g7.ex.io/v1');
    const groups = new Set(fresh.written.map((name) => name.split('/')[0]));
    expect([...groups]).toEqual(['g7.ex.io']);
  });

  test('requests at the same time share the work', async () => {
    const fresh = serving(...many);
    const [one, other] = await Promise.all([fresh.documents.swagger(), fresh.documents.swagger()]);
    expect(one).toBe(other);
    expect(fresh.written.filter((name) => name !== 'autoscaling/v1.Scale')).toHaveLength(200);
  });
});
