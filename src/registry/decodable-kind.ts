import { apiVersionOf } from '../meta/group-version.ts';
import type { StructSchema } from '../schema/model.ts';
import { type CompiledKind, compileKind } from '../schema/normalize/index.ts';
import type { ResourceRules } from './resource-definition.ts';

/** What the decoder needs to know about a kind. */
export interface DecodableKind {
  readonly definition: {
    readonly group: string;
    readonly kind: string;
    readonly schema: StructSchema;
    readonly rules: Pick<ResourceRules, 'setDefaults'>;
  };
  readonly apiVersion: string;
  readonly compiled: CompiledKind;
  /** Whether a kind exists: a wrong kind and an unknown kind have different errors. */
  readonly isKind: KindTest;
  /** Older versions with an identical schema. */
  readonly alsoRead?: readonly string[];
  /** The same kind in another version, served or not. Undefined when the version does not exist. */
  inVersion?(apiVersion: string): DecodableKind | undefined;
}

export type KindTest = (type: { readonly apiVersion: string; readonly kind: string }) => boolean;

/** For the kind of a subresource, which is not a resource. */
export function subresourceKind(options: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly isKind: KindTest;
  readonly alsoRead?: readonly string[];
}): DecodableKind {
  const { group, version, kind, schema, isKind, alsoRead = [] } = options;
  const apiVersion = apiVersionOf({ group, version });
  return {
    definition: { group, kind, schema, rules: {} },
    apiVersion,
    compiled: compileKind({ schema, kind, apiVersion }),
    isKind,
    alsoRead,
  };
}
