import { describe, expect, test } from 'vitest';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { builtInKinds, builtInResources, groupOrder } from '../../resources/index.ts';
import { customDefinition, customStatus } from '../discovery/custom-definition.conformance.ts';
import { OpenApiDocuments } from './openapi-documents.ts';

const media = { objects: ['application/json'], bodies: ['*/*'], streams: [], patches: ['merge'] };
const events = builtInResources.filter(({ resource }) => resource === 'events');
const [coreEvents] = events as [ResourceDefinition];
const withStatus = (definition: ResourceDefinition): ResourceDefinition => ({
  ...definition,
  subresources: [customStatus('Event')],
});

interface Program {
  readonly definitions?: readonly ResourceDefinition[];
  readonly sourceDigest?: string;
  readonly mediaTypes?: typeof media;
}

/** Records in `written` the types whose schemas have been written. */
function documentsOf({ definitions = events, sourceDigest, mediaTypes = media }: Program) {
  const written: string[] = [];
  const descriptions = {
    type: () => undefined,
    field: (typeName: string) => {
      written.push(typeName);
      return undefined;
    },
  };
  const documents = new OpenApiDocuments({
    catalog: { generation: 1, definitions: () => definitions, kinds: () => builtInKinds, groupOrder },
    media: mediaTypes,
    customMedia: mediaTypes,
    descriptions,
    ...(sourceDigest !== undefined && { sourceDigest }),
  });
  const hashes = async (): Promise<Record<string, string>> => {
    const { paths } = JSON.parse((await documents.index()).body.toString()) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    const hashOf = (url: string): string => new URL(url, 'https://server').searchParams.get('hash')!;
    return Object.fromEntries(
      Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, hashOf(serverRelativeURL)]),
    );
  };
  return { documents, written, hashes };
}

describe('the hashes of a program that knows its build', () => {
  test('are listed without building a document', async () => {
    const { hashes, written } = documentsOf({ sourceDigest: 'one' });
    expect(Object.keys(await hashes())).toContain('apis/events.k8s.io/v1');
    expect(written).toEqual([]);
  });

  test('are those of the documents, and different from each other', async () => {
    const { documents, hashes } = documentsOf({ sourceDigest: 'one' });
    const listed = await hashes();
    expect(new Set(Object.values(listed)).size).toBe(Object.keys(listed).length);
    for (const [name, hash] of Object.entries(listed)) {
      expect(hash, name).toMatch(/^[0-9A-F]{128}$/);
      expect((await documents.openApi(name))?.hash, name).toBe(hash);
    }
  });

  test('are the same in every process', async () => {
    const same = documentsOf({ sourceDigest: 'one', definitions: events.map((definition) => ({ ...definition })) });
    expect(await same.hashes()).toEqual(await documentsOf({ sourceDigest: 'one' }).hashes());
  });

  test.each<[string, Program]>([
    ['another build', { sourceDigest: 'two' }],
    ['no known build', {}],
    ['fewer types', { sourceDigest: 'one', definitions: [coreEvents] }],
    ['fewer verbs', { sourceDigest: 'one', definitions: events.map((each) => ({ ...each, verbs: ['get'] })) }],
    ['other subresources', { sourceDigest: 'one', definitions: events.map(withStatus) }],
    ['other media types', { sourceDigest: 'one', mediaTypes: { ...media, objects: ['application/yaml'] } }],
  ])('are others with %s', async (_about, program) => {
    const usual = await documentsOf({ sourceDigest: 'one' }).hashes();
    expect((await documentsOf(program).hashes())['api/v1']).not.toBe(usual['api/v1']);
  });
});

test('the hash of a document with custom types depends on its content alone', async () => {
  const widgets = customDefinition({});
  const hashWith = async (program: Program): Promise<string> =>
    (await documentsOf({ definitions: [...events, widgets], ...program }).hashes())['apis/ex.io/v1']!;
  const hash = await hashWith({});
  expect(await hashWith({ sourceDigest: 'one' })).toBe(hash);
  expect(await hashWith({ definitions: [...events, { ...widgets, kind: 'Other' }] })).not.toBe(hash);
});
