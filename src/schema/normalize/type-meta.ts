import { string } from '../builders.ts';
import type { Field, StructSchema } from '../model.ts';

/** The `kind` and `apiVersion` to write. Undefined: the value of the input is kept. */
export interface TypeMeta {
  readonly kind: string | undefined;
  readonly apiVersion: string | undefined;
}

/** The types that carry `kind` and `apiVersion` even inside another object. */
const embedded: Readonly<Record<string, TypeMeta>> = {
  'core/v1.PersistentVolumeClaim': { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
  'meta/v1.DeleteOptions': { kind: undefined, apiVersion: undefined },
};

export function embeddedTypeMeta({ name }: StructSchema): TypeMeta | undefined {
  return embedded[name];
}

export const typeMetaFields: readonly (Field & { readonly name: keyof TypeMeta })[] = [
  { name: 'kind', number: 0, schema: string },
  { name: 'apiVersion', number: 0, schema: string },
];
