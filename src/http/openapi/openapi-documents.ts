import type { GroupVersion } from '../../meta/group-version.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { isCustom, type ServedCatalog } from '../discovery/served-catalog.ts';
import { servedGroups } from '../discovery/served-groups.ts';
import { BuiltInDocuments, type DocumentContext, isSame, lazyDocument } from './built-in-documents.ts';
import { CompressedDocument } from './compressed-document.ts';
import { CompressedEntries } from './compressed-entries.ts';
import type { Descriptions } from './descriptions.ts';
import { type DocumentContents, documentContents, pathItems } from './document-contents.ts';
import { Lazy } from './lazy.ts';
import type { DocumentInfo } from './openapi-document.ts';
import type { ServedMediaTypes } from './operation.ts';
import { addRemoteFragments, type RemoteOpenApiDocuments } from './remote-swagger.ts';
import type { OperationContext } from './resource-operations.ts';
import { ownParameters } from './resource-paths.ts';
import { customSwagger, swaggerLayout } from './swagger-document.ts';

export interface DocumentSources {
  readonly catalog: ServedCatalog;
  readonly media: ServedMediaTypes;
  /** See `DocumentScope`. Default: false. */
  readonly servesIssuer?: boolean;
  /** The media types of custom types. */
  readonly customMedia: ServedMediaTypes;
  /** The title of documents about custom types. See `openApiLayout`. */
  readonly customInfo?: DocumentInfo;
  readonly descriptions: Descriptions;
  /** Identifies the program. See `BuiltInSources`. */
  readonly sourceDigest?: string;
  /** Default: no documents of other servers. */
  readonly remote?: RemoteOpenApiDocuments;
}

export interface DocumentIndex {
  readonly body: Buffer;
  readonly lastModified: string;
}

/** A document of `/openapi/v3`, and the part of the Swagger document about its custom types. */
interface BuiltDocuments extends DocumentContents {
  readonly openApi: Lazy<CompressedDocument>;
  /** Returns the hash of the OpenAPI document. */
  hash(): Promise<string>;
  readonly customSwagger: Lazy<CompressedEntries>;
}

/**
 * Builds documents on demand, in several turns of the event loop. A change of the catalog discards the documents of the
 * changed group versions only.
 */
export class OpenApiDocuments {
  readonly #sources: DocumentSources;
  #generation: number | undefined;
  #remoteGeneration: number | undefined;
  #builtInDefinitions: readonly ResourceDefinition[] = [];
  #builtIn: BuiltInDocuments | undefined;
  /** The documents by name. */
  #documents: ReadonlyMap<string, BuiltDocuments> = new Map();
  #swagger: Lazy<CompressedDocument> | undefined;
  #index: Lazy<DocumentIndex> | undefined;

  constructor(sources: DocumentSources) {
    this.#sources = sources;
  }

  swagger(): Promise<CompressedDocument> {
    const documents = this.#current();
    this.#swagger ??= this.#lazySwagger(documents);
    return this.#swagger.get();
  }

  /** Undefined when the document does not exist. */
  async openApi(name: string): Promise<CompressedDocument | undefined> {
    return this.#current().get(name)?.openApi.get();
  }

  /** Lists every document with its hash. Builds those whose hash is not known. */
  index(): Promise<DocumentIndex> {
    const documents = this.#current();
    const hashes = this.#sources.remote?.hashes() ?? new Map();
    this.#index ??= new Lazy(() => documentIndex(documents, hashes));
    return this.#index.get();
  }

  #current(): ReadonlyMap<string, BuiltDocuments> {
    const { catalog, remote } = this.#sources;
    if (this.#remoteGeneration !== remote?.generation) {
      this.#remoteGeneration = remote?.generation;
      this.#swagger = undefined;
      this.#index = undefined;
    }
    if (this.#generation !== catalog.generation) {
      this.#refresh(catalog, this.#refreshBuiltIn(catalog));
      this.#generation = catalog.generation;
    }
    return this.#documents;
  }

  /** All documents may refer to the built-in types, which change with the options of the server only. */
  #refreshBuiltIn(catalog: ServedCatalog): BuiltInDocuments {
    const definitions = catalog.definitions().filter((definition) => !isCustom(definition));
    if (this.#builtIn !== undefined && isSame(definitions, this.#builtInDefinitions)) return this.#builtIn;
    const { media, descriptions, sourceDigest, servesIssuer = false } = this.#sources;
    const { knownVersions } = catalog;
    this.#builtInDefinitions = definitions;
    this.#builtIn = BuiltInDocuments.of({
      definitions,
      kinds: catalog.kinds(),
      ...(knownVersions !== undefined && { knownVersions }),
      servesIssuer,
      media,
      descriptions,
      ...(sourceDigest !== undefined && { sourceDigest }),
    });
    this.#documents = new Map();
    return this.#builtIn;
  }

  #refresh(catalog: ServedCatalog, builtIn: BuiltInDocuments): void {
    const before = this.#documents;
    const { media, servesIssuer = false } = this.#sources;
    const served = { groups: servedGroups(catalog), discovery: media.objects, servesIssuer };
    const documents = documentContents(served).map((contents) => {
      const known = before.get(contents.name);
      return known !== undefined && isSame(known.definitions, contents.definitions)
        ? known
        : this.#lazy(contents, builtIn);
    });
    if (isSame(documents, [...before.values()])) return;
    this.#documents = new Map(documents.map((document) => [document.name, document]));
    this.#swagger = undefined;
    this.#index = undefined;
  }

  #lazy(contents: DocumentContents, builtIn: BuiltInDocuments): BuiltDocuments {
    const custom = contents.definitions.filter(isCustom);
    const context = this.#context(builtIn);
    const isBuiltIn = custom.length === 0;
    const openApi = isBuiltIn ? builtIn.openApi(contents) : lazyDocument(contents, context);
    return {
      ...contents,
      openApi,
      hash: async () => (isBuiltIn ? builtIn.hash(contents) : (await openApi.get()).hash),
      customSwagger: new Lazy(() =>
        CompressedEntries.of(customSwagger(pathItems({ fixed: [], definitions: custom }, context.of), context)),
      ),
    };
  }

  #lazySwagger(documents: ReadonlyMap<string, BuiltDocuments>): Lazy<CompressedDocument> {
    const builtIn = this.#builtInDefinitions;
    const context = this.#context(this.#builtIn!);
    const builtInFragment = this.#builtIn!.swagger([...documents.values()].flatMap(({ fixed }) => fixed));
    const custom = [...documents.values()].filter(({ definitions }) => definitions.some(isCustom));
    const { remote } = this.#sources;
    const isBuiltIn = ({ group, version }: GroupVersion): boolean =>
      builtIn.some((definition) => definition.group === group && definition.version === version);
    return new Lazy(async () => {
      const fragments = [await builtInFragment.get()];
      for (const document of custom) fragments.push(await document.customSwagger.get());
      if (remote !== undefined) await addRemoteFragments(fragments, remote, isBuiltIn);
      const own = builtIn.flatMap((definition) => ownParameters(definition, context));
      return new CompressedDocument(swaggerLayout(own), fragments);
    });
  }

  #context({ kinds }: BuiltInDocuments): DocumentContext {
    const { catalog, media, customMedia, customInfo, descriptions } = this.#sources;
    const types = { kinds, descriptions };
    const serverOnly = new Set(catalog.knownVersions?.filter((known) => known.serverOnly).map(({ group }) => group));
    const of = (definition: ResourceDefinition): OperationContext => ({
      ...types,
      media: isCustom(definition) ? customMedia : media,
    });
    return { ...types, info: customInfo, namesVersion: ({ group }) => !serverOnly.has(group), of };
  }
}

async function documentIndex(
  documents: ReadonlyMap<string, BuiltDocuments>,
  remote: ReadonlyMap<string, string>,
): Promise<DocumentIndex> {
  const paths: Record<string, { serverRelativeURL: string }> = {};
  for (const name of [...new Set([...documents.keys(), ...remote.keys()])].sort()) {
    const hash = remote.get(name) ?? (await documents.get(name)!.hash());
    paths[name] = { serverRelativeURL: documentUrl(name, hash) };
  }
  return { body: Buffer.from(JSON.stringify({ paths })), lastModified: new Date().toUTCString() };
}

/** The URL of a document, which changes with its content. */
export function documentUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}
