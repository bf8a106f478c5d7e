import { apiVersionOf } from '../../src/meta/group-version.ts';
import { builtInKinds, builtInResources, optionalResources } from '../../src/resources/index.ts';
import * as metaTypes from '../../src/schema/meta-types.ts';
import type { StructSchema } from '../../src/schema/model.ts';
import { type CompiledKind, compileKind } from '../../src/schema/normalize/index.ts';
import { everyKindOfField } from './every-kind-of-field.ts';

export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: StructSchema;
  readonly compiled: CompiledKind;
}

const definitions = [
  ...[...builtInResources, ...optionalResources, ...builtInKinds].map((definition) => ({
    kind: definition.kind,
    apiVersion: apiVersionOf(definition),
    schema: definition.schema,
  })),
  { kind: 'Status', apiVersion: 'v1', schema: metaTypes.Status },
  { kind: 'DeleteOptions', apiVersion: 'v1', schema: metaTypes.DeleteOptions },
  { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', schema: metaTypes.PartialObjectMetadata },
  { kind: 'EveryKindOfField', apiVersion: 'test/v1', schema: everyKindOfField },
];

/** All built-in kinds, and one with every kind of field, by the names of their schemas. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  definitions.map((definition) => [definition.schema.name, { ...definition, compiled: compileKind(definition) }]),
);
