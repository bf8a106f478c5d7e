import type { JsonSchema } from './structural/json-schema.ts';

/**
 * The single description of a type, used for decoding, defaulting, pruning, validation, patch, apply, protobuf and
 * OpenAPI. Built-in types are defined with the functions of `builders.ts`; the schemas of custom resources are
 * converted to it.
 */
export type Schema = ScalarSchema | ListSchema | MapSchema | StructSchema;

export type ScalarKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'float64'
  /** Base64 text in JSON. */
  | 'bytes'
  /** RFC 3339 with seconds, UTC. */
  | 'time'
  /** RFC 3339 with microseconds, UTC. */
  | 'microTime'
  /** Text such as `1h2m3s`. */
  | 'duration'
  /** A number with a unit; canonical text such as `100m` or `1Gi`. */
  | 'quantity'
  | 'intOrString'
  /** An embedded object of any type. */
  | 'rawExtension'
  /** The field paths of a managed-fields entry. */
  | 'fieldsV1'
  /** Any JSON value. */
  | 'json';

export interface ScalarSchema {
  readonly type: 'scalar';
  readonly kind: ScalarKind;
  /** Package and name of the type, such as `core/v1.RestartPolicy`, where errors of the decoder show it. */
  readonly name?: string;
  readonly structural?: Structural;
}

export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  /** Set when the list is a named type, which protobuf wraps in a message. */
  readonly name?: string;
  readonly structural?: Structural;
}

/** A map from strings to values of one type. */
export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  readonly structural?: Structural;
}

export interface StructSchema {
  readonly type: 'struct';
  /** Package and type name, such as `core/v1.PodSpec`. */
  readonly name: string;
  /** In encoding order. Computed on first use, so that an unused type costs nothing. */
  readonly fields: readonly Field[];
  /** Whether server-side apply treats the whole struct as one value. */
  readonly atomic: boolean;
  readonly unions: readonly Union[];
  /**
   * JSON has the value of the field that is set instead of an object; the JSON type determines the field, as in
   * `JSONSchemaPropsOrBool`. Protobuf has the message.
   */
  readonly untagged?: boolean;
  readonly structural?: Structural;
}

/**
 * The additional properties of nodes of custom types. Values of such nodes are not checked when they are decoded, and
 * empty and zero values are kept. Fields other than the metadata of an object have no protobuf number (0).
 */
export interface Structural {
  /** The schema as given in the definition, with the constraints on values and the validation rules. */
  readonly source: JsonSchema;
  /** Whether null is a value. Otherwise null is the same as absent. */
  readonly nullable: boolean;
  /** Whether unknown fields are kept. */
  readonly open: boolean;
  /** Whether the value is an object of any kind, with `apiVersion`, `kind` and `metadata`. Also true for the root. */
  readonly embedded: boolean;
  /** Set when the value is absent. Items and map values can have one, too. */
  readonly default?: unknown;
  /** How server-side apply merges a list, as in `FieldOptions`. */
  readonly list?: 'atomic' | 'set' | readonly string[];
  /** How server-side apply merges a map or struct. */
  readonly map?: 'atomic' | 'granular';
}

export interface Field extends FieldOptions {
  readonly name: string;
  /** The protobuf field number. */
  readonly number: number;
  readonly schema: Schema;
}

export interface FieldOptions {
  readonly required?: boolean;
  /** Whether absent and zero are distinct. Otherwise a zero value counts as absent. */
  readonly pointer?: boolean;
  /** Whether the field is encoded even when it is zero. */
  readonly always?: boolean;
  /**
   * Whether an empty list is kept, because errors show it. For fields whose empty list is rejected, because otherwise
   * an empty list could be stored.
   */
  readonly keepsEmptyForErrors?: boolean;
  /** Whether the fields of this struct are part of the parent object in JSON. */
  readonly inline?: boolean;
  readonly default?: unknown;
  /**
   * Whether the defaulting code of the type, or admission, may set the field when it is absent. Normalization reserves
   * its position among the fields, so that a default is stored where a client would have written it.
   */
  readonly defaulted?: boolean;
  /** The value that the field, as the key of a list, has in elements that omit it. It is not written to them. */
  readonly keyDefault?: string;
  readonly enum?: readonly string[];
  /** How server-side apply merges a list. Field names are the keys of a list of maps. */
  readonly list?: 'atomic' | 'set' | readonly string[];
  /**
   * How server-side apply merges a map or struct: as one value, or field by field, which overrides the type's `atomic`.
   */
  readonly map?: 'atomic' | 'granular';
  /** How a strategic merge patch treats the field. */
  readonly patch?: { readonly strategies: readonly PatchStrategy[]; readonly mergeKey?: string };
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

export interface Union {
  readonly discriminator?: string;
  /** Maps a field's name to the value of the discriminator. */
  readonly fields: Readonly<Record<string, string>>;
}
