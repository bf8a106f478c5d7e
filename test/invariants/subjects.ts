import { collectionPath } from '../../src/client/resource-client.ts';
import type { ResourceDefinition } from '../../src/registry/index.ts';
import { builtInResources, optionalResources } from '../../src/resources/index.ts';
import { loadCorpus } from '../corpus/load-corpus.ts';
import type { JsonObject } from './json.ts';
import { KnownValues } from './plausible-values.ts';

/** A stored kind in one of its served versions. */
export interface Subject {
  readonly definition: ResourceDefinition;
  readonly collection: string;
  /** Objects that the server accepts. */
  readonly objects: readonly JsonObject[];
  /** The collections of the same objects in other versions. */
  readonly otherVersions: readonly string[];
}

export const namespace = 'corpus';

/** APIServices are left out, because the server writes their status whenever they change. */
const definitions = [...builtInResources, ...optionalResources].filter(
  ({ storage, verbs, resource }) => storage !== undefined && verbs.includes('create') && resource !== 'apiservices',
);

const pathOf = (definition: ResourceDefinition): string =>
  collectionPath(definition, definition.namespaced ? namespace : '');

export function knownValues(subjects: readonly Subject[]): KnownValues {
  const known = new KnownValues();
  for (const { definition, objects } of subjects) for (const object of objects) known.learn(definition.schema, object);
  return known;
}

/** Loads every stored built-in kind in every version. */
export async function loadSubjects(): Promise<Subject[]> {
  const corpus = await loadCorpus();
  return definitions.map((definition) => {
    const collection = pathOf(definition);
    const objects = corpus
      .filter(({ path }) => path === collection)
      .flatMap(({ valid }) => valid.map(({ object }) => object as unknown as JsonObject));
    const otherVersions = definitions
      .filter((other) => other !== definition && other.storage!.keyPrefix === definition.storage!.keyPrefix)
      .map(pathOf);
    return { definition, collection, objects, otherVersions };
  });
}
