/**
 * The one description of a type. Decoding, defaulting, pruning, validation, patch and apply rules, protobuf and OpenAPI
 * all read it. Built-in types are written with the builders of `builders.ts`; custom resources are translated into it.
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
}

export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  /** Set when the list is a named type of its own, which protobuf wraps into a message. */
  readonly name?: string;
}

/** A map from any string to values of one type. */
export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
}

export interface StructSchema {
  readonly type: 'struct';
  /** Package and name, such as `core/v1.PodSpec`. */
  readonly name: string;
  /** In the order in which they are written. Computed on first use, so that a type costs nothing until then. */
  readonly fields: readonly Field[];
  /** Server-side apply treats the whole object as one value. */
  readonly atomic: boolean;
  readonly unions: readonly Union[];
  /**
   * In JSON not an object of its own but the value of whichever field is set; the JSON type tells which, as in
   * `JSONSchemaPropsOrBool`. Protobuf has the message.
   */
  readonly untagged?: boolean;
}

export interface Field extends FieldOptions {
  readonly name: string;
  /** The protobuf field number. */
  readonly number: number;
  readonly schema: Schema;
}

export interface FieldOptions {
  readonly required?: boolean;
  /** Absent and zero are different things. Without it a zero value counts as absent. */
  readonly pointer?: boolean;
  /** Written even when zero. */
  readonly always?: boolean;
  /** In JSON the fields of this struct stand directly in the parent. */
  readonly inline?: boolean;
  readonly default?: unknown;
  /**
   * The rules of the type may fill it in when it is absent. Its place among the fields is kept for that: a default is
   * stored where a client would have written it.
   */
  readonly defaulted?: boolean;
  readonly enum?: readonly string[];
  /** How server-side apply merges a list. A list of maps is keyed by these fields. */
  readonly list?: 'atomic' | 'set' | readonly string[];
  /** How server-side apply merges a map or struct: as one value, or, against the type's own `atomic`, field by field. */
  readonly map?: 'atomic' | 'granular';
  /** How a strategic merge patch treats the field. */
  readonly patch?: { readonly strategies: readonly PatchStrategy[]; readonly mergeKey?: string };
}

export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

export interface Union {
  readonly discriminator?: string;
  /** Field name to the discriminator's value. */
  readonly fields: Readonly<Record<string, string>>;
}
