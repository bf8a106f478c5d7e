import { type OpenApiDocument, type Schema, Schemas } from '../document/schema.ts';
import { requestJson } from './request.ts';
import type { ResourceType } from './resource-type.ts';

export interface TypeSchema {
  readonly schemas: Schemas;
  readonly schema: Schema;
}

interface OpenApiIndex {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** The most recently loaded documents. Their URLs contain a hash, so a document never changes. */
const documents = new Map<string, Promise<Schemas>>();
const maxDocuments = 8;

/** Returns the schema of a type. Undefined if the server has none for it. */
export async function loadSchema(type: ResourceType, signal?: AbortSignal): Promise<TypeSchema | undefined> {
  const { paths } = await requestJson<OpenApiIndex>('/openapi/v3', { signal });
  const name = type.group === '' ? `api/${type.version}` : `apis/${type.group}/${type.version}`;
  const url = paths[name]?.serverRelativeURL;
  // The URL comes from the server, which may forward URLs of other servers.
  if (!url?.startsWith('/openapi/v3/')) return undefined;
  const schemas = await loadDocument(url);
  const schema = schemas.ofKind(type);
  return schema && { schemas, schema };
}

function loadDocument(url: string): Promise<Schemas> {
  const known = documents.get(url);
  if (known) return known;
  const loading = requestJson<OpenApiDocument>(url).then((document) => new Schemas(document));
  documents.set(url, loading);
  loading.catch(() => documents.delete(url));
  for (const oldest of documents.keys()) if (documents.size > maxDocuments) documents.delete(oldest);
  return loading;
}
