import { goQuote } from '../meta/go-quote.ts';
import { internalPackage, parseApiVersion } from '../meta/group-version.ts';
import type { DecodableKind } from './decodable-kind.ts';

/** The kind and apiVersion that a document states. */
export interface StatedKind {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The error for a document whose kind, known or unknown, is not that of its path. */
export function kindMismatch(context: DecodableKind, stated: StatedKind): string {
  return context.isKind(stated) ? wrongKind(context, stated) : unknownKind(stated);
}

/** Words the error like kube-apiserver, which first decodes any kind and then converts it to the expected one. */
function wrongKind({ definition }: DecodableKind, { kind, apiVersion }: StatedKind): string {
  const expected = `${internalPackage(definition.group)}.${definition.kind}`;
  return `converting (${parseApiVersion(apiVersion).version}.${kind}) to (${expected}): unknown conversion`;
}

function unknownKind({ kind, apiVersion }: StatedKind): string {
  const scheme = 'pkg/api/legacyscheme/scheme.go:30';
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`;
}
