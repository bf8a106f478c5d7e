import { encodeJson } from '../../codec/json/index.ts';
import type { GroupVersion } from '../../meta/group-version.ts';
import { inTurns, type Steps } from '../../meta/turns.ts';
import { CompressedEntries } from './compressed-entries.ts';
import { type DocumentEntries, entriesOf, splitEntries } from './document-entries.ts';
import { swaggerLayout } from './swagger-document.ts';

/** The documents of other servers whose types are served through this one. */
export interface RemoteOpenApiDocuments {
  /** Changes with the content. */
  readonly generation: number;
  /** The hashes of the documents of `/openapi/v3` that other servers have, by name. */
  hashes(): ReadonlyMap<string, string>;
  /** The parts of their Swagger documents, one per group version. */
  swagger(): readonly RemoteSwagger[];
  /** Called when a part cannot be used. */
  refused(name: string, error: Error): void;
}

export interface RemoteSwagger extends GroupVersion {
  content(): Promise<SwaggerContent>;
}

/** All definitions that the paths refer to are in it. */
export interface SwaggerContent {
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
}

/**
 * Adds the parts of other servers to those of this server. Parts that cannot be encoded are omitted, and so are
 * descriptions of built-in types, which already exist.
 */
export async function addRemoteFragments(
  fragments: CompressedEntries[],
  remote: RemoteOpenApiDocuments,
  isBuiltIn: (groupVersion: GroupVersion) => boolean,
): Promise<void> {
  const sources = remote.swagger().filter((source) => !isBuiltIn(source));
  if (sources.length === 0) return;
  const taken = new Map<string, string>();
  for (const fragment of fragments) await inTurns(noteDefinitions((await fragment.texts()).schemas, taken));
  for (const { group, version, content } of sources) {
    try {
      const fragment = await CompressedEntries.of(remoteEntries(await content(), taken));
      await fragment.protobuf(swaggerLayout([]));
      await inTurns(noteDefinitions((await fragment.texts()).schemas, taken));
      fragments.push(fragment);
    } catch (error) {
      remote.refused(`${group}/${version}`, error as Error);
    }
  }
}

/** The JSON of all definitions by name. */
function* noteDefinitions(schemas: Buffer, taken: Map<string, string>): Steps<void> {
  for (const entry of splitEntries(schemas)) {
    const end = entry.indexOf('":');
    taken.set(entry.slice(1, end), entry.slice(end + 2));
    yield;
  }
}

/** Definitions with the name of another one get a new name, unless they are equal. */
function* remoteEntries(
  { paths, definitions }: SwaggerContent,
  taken: ReadonlyMap<string, string>,
): Steps<DocumentEntries> {
  const names = new Map<string, string>();
  const kept: [string, object][] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const known = taken.get(name);
    if (known !== undefined && known === encodeJson(definition)) continue;
    const given = known === undefined ? name : freeName(name, definitions, taken);
    if (given !== name) names.set(`#/definitions/${name}`, `#/definitions/${given}`);
    kept.push([given, definition]);
    yield;
  }
  const renamed = function* (members: Iterable<[string, object]>): Steps<Record<string, object>> {
    const result: Record<string, object> = {};
    for (const [name, value] of members) {
      result[name] = names.size === 0 ? value : (withReferences(value, names) as object);
      yield;
    }
    return result;
  };
  return yield* entriesOf(yield* renamed(Object.entries(paths)), yield* renamed(kept));
}

function freeName(name: string, own: object, taken: ReadonlyMap<string, string>): string {
  for (let number = 2; ; number++) {
    const candidate = `${name}_v${number}`;
    if (!taken.has(candidate) && !Object.hasOwn(own, candidate)) return candidate;
  }
}

function withReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === '$ref' && typeof member === 'string') return [name, names.get(member) ?? member];
      return [name, withReferences(member, names)];
    }),
  );
}
