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
}

/** For a kind that has no resource of its own. */
export function subresourceKind(options: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructSchema;
}): DecodableKind {
  const { group, version, kind, schema } = options;
  const apiVersion = apiVersionOf({ group, version });
  return {
    definition: { group, kind, schema, rules: {} },
    apiVersion,
    compiled: compileKind({ schema, kind, apiVersion }),
  };
}
