import { jsonTypeName } from '../../merge/index.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { DecodableKind } from '../decodable-kind.ts';

/** How the server names the part of a document that it looks at first. */
const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const scheme = 'pkg/api/legacyscheme/scheme.go:30';

/** What is wrong with the kind that a patched document states; undefined when it is the right one, or left out. */
export function kindProblem({ definition, apiVersion }: DecodableKind, document: unknown): string | undefined {
  if (!isObject(document)) return unreadable(document, `Go value of type ${typeMetaStruct}`);
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = document[name] ?? '';
    if (typeof value !== 'string') return unreadable(value, `Go struct field .${name} of type string`);
  }
  const kind = document.kind || definition.kind;
  const version = document.apiVersion || apiVersion;
  if (kind === definition.kind && version === apiVersion) return undefined;
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme ${goQuote(scheme)}`;
}

interface StatedKind {
  readonly kind?: string;
  readonly apiVersion?: string;
}

function isObject(value: unknown): value is StatedKind {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(value: unknown, target: string): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into ${target}`;
}
