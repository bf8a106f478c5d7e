import { goQuote } from '../meta/go-quote.ts';
import { internalPackage, parseApiVersion } from '../meta/group-version.ts';
import type { DecodableKind } from './decodable-kind.ts';

/** What a document says of itself. */
export interface StatedKind {
  readonly kind: string;
  readonly apiVersion: string;
}

/** What is wrong with a document that is not of the kind of its path, known or unknown. */
export function kindMismatch(context: DecodableKind, stated: StatedKind): string {
  return context.isKind(stated) ? wrongKind(context, stated) : unknownKind(stated);
}

/** In the words of a server that first reads any kind and then tries to make the expected one of it. */
function wrongKind({ definition }: DecodableKind, { kind, apiVersion }: StatedKind): string {
  const expected = `${internalPackage(definition.group)}.${definition.kind}`;
  return `converting (${parseApiVersion(apiVersion).version}.${kind}) to (${expected}): unknown conversion`;
}

function unknownKind({ kind, apiVersion }: StatedKind): string {
  const scheme = 'pkg/api/legacyscheme/scheme.go:30';
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`;
}
