import { typeMetaStruct } from '../../codec/open-document.ts';
import { jsonTypeName } from '../../merge/index.ts';
import type { DecodableKind } from '../decodable-kind.ts';
import { kindMismatch } from '../kind-mismatch.ts';

/** The error for the kind that a patched document states. Undefined when it is right or missing. */
export function kindProblem(context: DecodableKind, document: unknown): string | undefined {
  if (!isObject(document)) return unreadable(document, `Go value of type ${typeMetaStruct}`);
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = document[name] ?? '';
    if (typeof value !== 'string') return unreadable(value, `Go struct field .${name} of type string`);
  }
  const kind = document.kind || context.definition.kind;
  const apiVersion = document.apiVersion || context.apiVersion;
  if (kind === context.definition.kind && apiVersion === context.apiVersion) return undefined;
  return kindMismatch(context, { kind, apiVersion });
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
