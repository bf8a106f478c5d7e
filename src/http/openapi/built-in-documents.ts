import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { contentHash } from '../discovery/entity-tag.ts';
import type { KnownVersion, ServedKind } from '../discovery/served-catalog.ts';
import { CompressedDocument } from './compressed-document.ts';
import { CompressedEntries } from './compressed-entries.ts';
import type { DefinitionSources } from './definition-set.ts';
import type { Descriptions } from './descriptions.ts';
import { type DocumentContents, pathItems } from './document-contents.ts';
import { KindIndex } from './kind-index.ts';
import { Lazy } from './lazy.ts';
import { type DocumentInfo, openApiEntries, openApiLayout } from './openapi-document.ts';
import type { PathItem, ServedMediaTypes } from './operation.ts';
import { announcesDeleted, type OperationContext } from './resource-operations.ts';
import { builtInSwagger } from './swagger-document.ts';

export interface BuiltInSources {
  readonly definitions: readonly ResourceDefinition[];
  /** Kinds that are not types of resources. */
  readonly kinds: readonly ServedKind[];
  /** See `ServedCatalog`. */
  readonly knownVersions?: readonly KnownVersion[];
  /** See `DocumentScope`. */
  readonly servesIssuer: boolean;
  readonly media: ServedMediaTypes;
  readonly descriptions: Descriptions;
  /**
   * Identifies the program, including the schemas and descriptions of its types. With it, the hashes of documents are
   * known without building them. By default they are computed from the content.
   */
  readonly sourceDigest?: string;
}

/** Few servers in a process have different options. */
const maxShared = 4;
const shared: BuiltInDocuments[] = [];

/**
 * The documents about built-in types. Building them takes some hundred milliseconds, and they change with the options of
 * the server only, so the servers of a process share them.
 */
export class BuiltInDocuments {
  /** The kinds that all documents may refer to. */
  readonly kinds: KindIndex;
  readonly #sources: BuiltInSources;
  /** The documents by name. */
  readonly #openApi = new Map<string, Lazy<CompressedDocument>>();
  #swagger: Lazy<CompressedEntries> | undefined;
  /** Identifies the content of all documents. */
  readonly #digest: string | undefined;

  private constructor(sources: BuiltInSources) {
    this.kinds = new KindIndex([...sources.definitions, ...sources.kinds], sources.knownVersions);
    this.#sources = sources;
    this.#digest = digestOf(sources);
  }

  static of(sources: BuiltInSources): BuiltInDocuments {
    const known = shared.find((documents) => documents.#isOf(sources));
    if (known !== undefined) return known;
    const documents = new BuiltInDocuments(sources);
    shared.push(documents);
    if (shared.length > maxShared) shared.shift();
    return documents;
  }

  /** Returns the document with these contents, all of which are built in. */
  openApi(contents: DocumentContents): Lazy<CompressedDocument> {
    const { name, groupVersion } = contents;
    const known = this.#openApi.get(name);
    if (known !== undefined) return known;
    const context = this.#context();
    const namesVersion = groupVersion && namesLocal(groupVersion);
    const document = lazyDocument(contents, { ...context, namesVersion, of: () => context }, this.#knownHash(name));
    this.#openApi.set(name, document);
    return document;
  }

  /** Returns the hash of the document with these contents. */
  async hash(contents: DocumentContents): Promise<string> {
    return this.#knownHash(contents.name) ?? (await this.openApi(contents).get()).hash;
  }

  #knownHash(name: string): string | undefined {
    return this.#digest && contentHash(Buffer.from(`${this.#digest}\n${name}`));
  }

  /** The part of the Swagger document about built-in types, with these paths that belong to no definition. */
  swagger(fixed: readonly PathItem[]): Lazy<CompressedEntries> {
    const { definitions } = this.#sources;
    const context = this.#context();
    this.#swagger ??= new Lazy(() =>
      CompressedEntries.of(
        builtInSwagger(
          pathItems({ fixed, definitions }, () => context),
          context,
        ),
      ),
    );
    return this.#swagger;
  }

  #context(): OperationContext {
    const { media, descriptions } = this.#sources;
    return { kinds: this.kinds, descriptions, media };
  }

  #isOf(sources: BuiltInSources): boolean {
    const { definitions, kinds, media, descriptions, sourceDigest } = sources;
    const own = this.#sources;
    return (
      descriptions === own.descriptions &&
      sourceDigest === own.sourceDigest &&
      sources.knownVersions === own.knownVersions &&
      sources.servesIssuer === own.servesIssuer &&
      definitions.length === own.definitions.length &&
      definitions.every((definition, index) => describesSame(definition, own.definitions[index]!)) &&
      isSame(kinds, own.kinds) &&
      isSame(media.objects, own.media.objects) &&
      isSame(media.bodies, own.media.bodies) &&
      isSame(media.streams, own.media.streams) &&
      isSame(media.patches, own.media.patches)
    );
  }
}

/** A document about a version does not name the kinds of others, except those of the core group. */
function namesLocal(local: GroupVersion): (groupVersion: GroupVersion) => boolean {
  const isLocal = ({ group, version }: GroupVersion): boolean => group === local.group && version === local.version;
  return (groupVersion) => isLocal(groupVersion) || (groupVersion.group === '' && groupVersion.version === 'v1');
}

export interface DocumentContext extends DefinitionSources {
  /** See `openApiLayout`. */
  readonly info?: DocumentInfo | undefined;
  readonly of: (definition: ResourceDefinition) => OperationContext;
}

/** If no hash is given, it is computed from the content. */
export function lazyDocument(
  contents: DocumentContents,
  context: DocumentContext,
  hash?: string,
): Lazy<CompressedDocument> {
  return new Lazy(async () => {
    const entries = await CompressedEntries.of(openApiEntries(pathItems(contents, context.of), context));
    return new CompressedDocument(openApiLayout(context.info), [entries], hash);
  });
}

/**
 * Whether both definitions have the same documents. The validation rules of each server differ as objects, but
 * documents do not show them.
 */
function describesSame(one: ResourceDefinition, other: ResourceDefinition): boolean {
  return (
    one.schema === other.schema &&
    one.verbs === other.verbs &&
    one.namespaced === other.namespaced &&
    isSame(namesOf(one), namesOf(other)) &&
    isSame(one.subresources, other.subresources) &&
    announcesDeleted(one) === announcesDeleted(other)
  );
}

/** Only these parts are needed, because the digest of the sources covers everything else. */
function digestOf({ definitions, kinds, media, sourceDigest, servesIssuer }: BuiltInSources): string | undefined {
  if (sourceDigest === undefined) return undefined;
  const types = definitions.map((definition) => [
    ...namesOf(definition),
    definition.verbs,
    definition.namespaced,
    definition.subresources.map(({ name }) => name),
    announcesDeleted(definition),
  ]);
  const names = kinds.map(({ group, version, kind }) => [group, version, kind]);
  return contentHash(Buffer.from(JSON.stringify([sourceDigest, types, names, media, servesIssuer])));
}

function namesOf({ group, version, resource, kind }: ResourceDefinition): string[] {
  return [group, version, resource, kind];
}

export function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((element, index) => element === others[index]);
}
