import { typeMetaStruct } from '../../codec/open-document.ts';
import { jsonTypeName } from '../../meta/go-value.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import { kindMismatch, type StatedKind } from '../kind-mismatch.ts';

/** The error for the kind that a patched document states. Undefined when it is right or missing. */
export function kindProblem(context: DecodableKind, document: unknown): string | undefined {
  if (!isObject(document)) return unreadable(document, `Go value of type ${typeMetaStruct}`);
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = document[name] ?? '';
    if (typeof value !== 'string') return unreadable(value, `Go struct field .${name} of type string`);
  }
  const stated = otherKind(context, document);
  return stated && kindMismatch(context, stated);
}

/** The kind and version of a document. Undefined when they are those of the path, or unreadable. */
export function otherKind(context: DecodableKind, document: unknown): StatedKind | undefined {
  if (!isObject(document)) return undefined;
  const { kind, apiVersion } = document;
  const stated = { kind: kind || context.definition.kind, apiVersion: apiVersion || context.apiVersion };
  if (typeof stated.kind !== 'string' || typeof stated.apiVersion !== 'string') return undefined;
  return stated.kind === context.definition.kind && stated.apiVersion === context.apiVersion ? undefined : stated;
}

interface MaybeStatedKind {
  readonly kind?: string;
  readonly apiVersion?: string;
}

function isObject(value: unknown): value is MaybeStatedKind {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(value: unknown, target: string): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into ${target}`;
}
