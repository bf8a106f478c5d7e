import type { Field, StructSchema } from '../model.ts';
import { scalarZeros } from './scalars.ts';

/** The replacement for a field without a value. */
export type AbsentField =
  | { readonly writes: 'nothing' }
  | { readonly writes: 'constant'; readonly value: unknown }
  /** The struct with only the fields that are always written. */
  | { readonly writes: 'emptyStruct' };

/**
 * Go's `omitempty` omits zero scalars, lists and maps, but never a struct that is not a pointer. Times, quantities and
 * `IntOrString` are such structs.
 */
const structLikeKinds: ReadonlySet<string> = new Set(['time', 'microTime', 'duration', 'quantity', 'intOrString']);

/** Fields that Kubernetes declares `omitzero`, which also omits zero structs. */
const omitZero: ReadonlySet<string> = new Set(['meta/v1.ObjectMeta.creationTimestamp']);

export function absentField(owner: StructSchema, field: Field): AbsentField {
  const { schema, pointer = false, always = false } = field;
  if (pointer) return always ? { writes: 'constant', value: null } : { writes: 'nothing' };
  if (omitZero.has(`${owner.name}.${field.name}`)) return { writes: 'nothing' };
  if (schema.type === 'struct') return { writes: 'emptyStruct' };
  if (schema.type !== 'scalar') return always ? { writes: 'constant', value: null } : { writes: 'nothing' };
  if (always || structLikeKinds.has(schema.kind)) return { writes: 'constant', value: scalarZeros[schema.kind] };
  return { writes: 'nothing' };
}
