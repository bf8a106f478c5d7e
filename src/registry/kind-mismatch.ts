import { invalidValue } from '../meta/field-error.ts';
import { goQuote } from '../meta/go-quote.ts';
import { internalPackage, parseApiVersion } from '../meta/group-version.ts';
import { invalid, type StatusError } from '../meta/status-error.ts';
import type { DecodableKind } from './decodable-kind.ts';

/** The kind and apiVersion that a document states. */
export interface StatedKind {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The error for a document whose kind, known or unknown, is not that of its path. */
export function kindMismatch(context: DecodableKind, stated: StatedKind): string {
  return context.knownKind(stated) !== undefined ? wrongKind(context, stated) : unknownKind(context, stated);
}

/** Words the error like kube-apiserver, which first decodes any kind and then converts it to the expected one. */
function wrongKind({ definition }: DecodableKind, { kind, apiVersion }: StatedKind): string {
  const expected = `${internalPackage(definition.group)}.${definition.kind}`;
  return `converting (${parseApiVersion(apiVersion).version}.${kind}) to (${expected}): unknown conversion`;
}

/** Whether a document states another version of the kind, in this group or in one from which the kind has moved. */
export function isOtherVersion({ definition, apiVersion, knownKind }: DecodableKind, stated: StatedKind): boolean {
  if (stated.kind !== definition.kind) return false;
  const known = knownKind(stated);
  return known !== undefined && known.group === knownKind({ kind: stated.kind, apiVersion })?.group;
}

/** Types that are not defined by kube-apiserver itself have a separate scheme. */
const schemes: Readonly<Record<string, string>> = { 'apiregistration.k8s.io': 'pkg/apiserver/scheme/scheme.go:28' };

function unknownKind({ definition }: DecodableKind, { kind, apiVersion }: StatedKind): string {
  const scheme = schemes[definition.group] ?? 'pkg/api/legacyscheme/scheme.go:30';
  return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`;
}

/** Objects of custom types are decoded with any kind. Only validation rejects a wrong one. */
export function isCustom({ definition }: DecodableKind): boolean {
  return definition.schema.structural !== undefined;
}

/** The error for a custom object, by its name, that states another kind or version than its path. */
export function wrongCustomKind(context: DecodableKind, stated: StatedKind, name: string): StatusError {
  const { kind } = context.definition;
  const errors = [];
  if (stated.kind !== kind) errors.push(invalidValue('kind', stated.kind, `must be ${kind}`));
  if (stated.apiVersion !== context.apiVersion) {
    errors.push(invalidValue('apiVersion', stated.apiVersion, `must be ${context.apiVersion}`));
  }
  return invalid({ group: parseApiVersion(stated.apiVersion).group, kind: stated.kind }, name, errors);
}
