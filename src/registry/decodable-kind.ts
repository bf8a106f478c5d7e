import { apiVersionOf } from '../meta/group-version.ts';
import type { StructSchema } from '../schema/model.ts';
import { type CompiledKind, compileKind } from '../schema/normalize/index.ts';
import type { ResourceRules } from './resource-definition.ts';

/** What has to be known of a kind to read an object of it from a body. */
export interface DecodableKind {
  readonly definition: {
    readonly group: string;
    readonly kind: string;
    readonly schema: StructSchema;
    readonly rules: Pick<ResourceRules, 'setDefaults'>;
  };
  readonly apiVersion: string;
  readonly compiled: CompiledKind;
  /** Whether there is such a kind at all: a body of a wrong kind is another mistake than one of an unknown kind. */
  readonly isKind: KindTest;
  /** Older versions in which it looks the same. */
  readonly alsoRead?: readonly string[];
}

export type KindTest = (type: { readonly apiVersion: string; readonly kind: string }) => boolean;

/** For a kind that has no resource of its own. */
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
