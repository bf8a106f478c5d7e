import type { Clock } from '../meta/clock.ts';
import { apiVersionOf } from '../meta/group-version.ts';
import type { StructSchema } from '../schema/model.ts';
import { type CompiledKind, compileKind } from '../schema/normalize/index.ts';
import type { ResourceRules } from './resource-definition.ts';

/** The properties of a kind that the decoder needs. */
export interface DecodableKind {
  readonly definition: {
    readonly group: string;
    readonly kind: string;
    readonly schema: StructSchema;
    readonly rules: Pick<ResourceRules, 'setDefaults'>;
  };
  readonly apiVersion: string;
  readonly compiled: CompiledKind;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** A wrong kind and an unknown kind have different errors. */
  readonly knownKind: FindKind;
  /** Older versions with an identical schema. */
  readonly alsoRead?: readonly string[];
  /** Returns the same kind in another version, served or not. Undefined when the version does not exist. */
  inVersion?(apiVersion: string): DecodableKind | undefined;
}

/** A kind that a document may state, whether it is served or not. */
export interface KnownKind {
  /** The group of its internal type in kube-apiserver. Kinds that moved to another group have one type for both. */
  readonly group: string;
  /** Undefined for kinds that are known by name only. */
  readonly schema?: StructSchema;
}

export type FindKind = (type: { readonly apiVersion: string; readonly kind: string }) => KnownKind | undefined;

/** Creates the kind of a subresource, which is not a resource. */
export function subresourceKind(options: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly knownKind: FindKind;
  readonly alsoRead?: readonly string[];
}): DecodableKind {
  const { group, version, kind, schema, knownKind, alsoRead = [] } = options;
  const apiVersion = apiVersionOf({ group, version });
  return {
    definition: { group, kind, schema, rules: {} },
    apiVersion,
    compiled: compileKind({ schema, kind, apiVersion }),
    knownKind,
    alsoRead,
  };
}
