import { DecodeError } from '../../meta/decode-error.ts';
import type { ListSchema, MapSchema, ScalarSchema, Schema, StructSchema } from '../model.ts';
import { inspectCustom } from '../structural/inspect-custom.ts';
import { Findings } from './findings.ts';
import { goStructName, goTypeName } from './go-type-name.ts';
import { scalarNormalizers } from './scalars.ts';
import { fieldsByName } from './struct-fields.ts';
import { embeddedTypeMeta, typeMetaFields } from './type-meta.ts';
import { isObject, jsonTypeOf, TypeMismatch } from './type-mismatch.ts';
import { untaggedField } from './untagged-field.ts';

/** The current position, as a path for findings and as a path for Go's type errors. */
interface Position {
  /** `spec.containers[0].ports`; empty at the root. */
  readonly path: string;
  /** `spec.containers.ports`: without indexes and map keys, and with the names of embedded structs. */
  readonly goPath: string;
  /** The struct that declares the last field of `goPath`. */
  readonly goStruct: string;
  /** The object or array that contains the value, and the key of the value in it. */
  readonly parent: object | undefined;
  readonly key: string;
  /** False below values that Kubernetes never decodes strictly. */
  readonly strict: boolean;
}

const top: Position = { path: '', goPath: '', goStruct: '', parent: undefined, key: '', strict: true };

/** Kinds with their own JSON decoder in Go. Their errors end the walk; other errors are reported when the walk ends. */
const selfDecoding: ReadonlySet<string> = new Set(['time', 'microTime', 'duration', 'quantity', 'intOrString']);
const integers: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'intOrString']);

/**
 * The slow walk over an object with an error or an unknown field, in document order, as Go decodes. Reports what strict
 * decoding rejects, and throws the error that Go would return.
 */
export function inspect(schema: StructSchema, value: unknown, findings: Findings): void {
  const inspection = new Inspection(findings, { types: true });
  inspection.visitObject(schema, value);
  if (inspection.firstMismatch !== undefined) throw inspection.firstMismatch;
}

/** Whether all values have the types that the schema demands. */
export function isOfType(schema: StructSchema, value: unknown): boolean {
  try {
    inspect(schema, value, new Findings());
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/** Whether an object has a field that its schema does not declare. Ignores all other errors. */
export function hasUnknownField(schema: StructSchema, value: unknown): boolean {
  const findings = new Findings();
  try {
    new Inspection(findings, { types: false }).visitObject(schema, value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return findings.texts.length > 0;
}

class Inspection {
  readonly #findings: Findings;
  /** Whether to check types. If false, only unknown fields are searched. */
  readonly #types: boolean;
  firstMismatch: DecodeError | undefined;

  constructor(findings: Findings, { types }: { types: boolean }) {
    this.#findings = findings;
    this.#types = types;
  }

  visitObject(schema: StructSchema, value: unknown): void {
    if (schema.structural === undefined) {
      this.visitStruct(schema, value, { ...top, isObject: true });
      return;
    }
    inspectCustom(schema, value, {
      findings: this.#findings,
      types: this.#types,
      inspectBuiltIn: (type, inner, path) => {
        this.#visit(type, inner, { ...top, path });
        if (this.firstMismatch !== undefined) throw this.firstMismatch;
      },
    });
  }

  #visit(schema: Schema, value: unknown, position: Position): void {
    if (value === null || value === undefined) return;
    switch (schema.type) {
      case 'scalar':
        this.#visitScalar(schema, value, position);
        break;
      case 'list':
        this.#visitList(schema, value, position);
        break;
      case 'map':
        this.#visitMap(schema, value, position);
        break;
      case 'struct':
        this.visitStruct(schema, value, position);
        break;
    }
  }

  visitStruct(schema: StructSchema, value: unknown, position: Position & { readonly isObject?: boolean }): void {
    if (schema.untagged === true) {
      const field = untaggedField(schema, value);
      if (field !== undefined) this.#visit(field.schema, value, { ...position, strict: false });
      return;
    }
    if (!isObject(value)) {
      this.#refuse(schema, value, position);
      return;
    }
    const hasTypeMeta = position.isObject === true || embeddedTypeMeta(schema) !== undefined;
    const fields = fieldsByName(schema);
    for (const [key, element] of Object.entries(value)) {
      const field = fields.get(key) ?? (hasTypeMeta ? typeMetaFields.find(({ name }) => name === key) : undefined);
      const path = position.path === '' ? key : `${position.path}.${key}`;
      if (field === undefined) {
        if (position.strict) this.#findings.unknown(path, value, key);
        continue;
      }
      this.#visitMember(field.schema, element, {
        path,
        goPath: goPathOf(position, schema, key),
        goStruct: goStructName(schema),
        parent: value,
        key,
        strict: position.strict,
      });
      this.#reportDuplicate(value, key, { path, strict: position.strict });
    }
  }

  /**
   * Checks every value of a duplicate key, although the object keeps only the last one, because Go decodes them all.
   */
  #visitMember(schema: Schema, value: unknown, position: Position & { readonly parent: object }): void {
    const earlier = this.#findings.source?.superseded.get(position.parent)?.get(position.key) ?? [];
    for (const holder of earlier) this.#visit(schema, holder[position.key], { ...position, parent: holder });
    this.#visit(schema, value, position);
  }

  #visitList(schema: ListSchema, value: unknown, position: Position): void {
    if (!Array.isArray(value)) {
      this.#refuse(schema, value, position);
      return;
    }
    for (const [index, element] of value.entries()) {
      const path = `${position.path}[${index}]`;
      this.#visit(schema.items, element, { ...position, path, parent: value, key: String(index) });
    }
  }

  #visitMap(schema: MapSchema, value: unknown, position: Position): void {
    if (!isObject(value)) {
      this.#refuse(schema, value, position);
      return;
    }
    for (const [key, element] of Object.entries(value)) {
      const path = `${position.path}.${key}`;
      this.#visitMember(schema.values, element, { ...position, path, parent: value, key });
      this.#reportDuplicate(value, key, { path, strict: position.strict });
    }
  }

  #visitScalar(schema: ScalarSchema, value: unknown, position: Position): void {
    if (!this.#types) return;
    const { kind } = schema;
    const numberText = this.#numberText(position);
    const isKnownWrong = this.firstMismatch !== undefined && !selfDecoding.has(kind);
    try {
      if (!isKnownWrong && numberText !== undefined && integers.has(kind) && /[.eE]/.test(numberText)) {
        throw new TypeMismatch(`number ${numberText}`, kind === 'intOrString' ? 'int32' : kind);
      }
      // Only the first mismatch is reported. Creating an error for each of many would be expensive.
      if (!isKnownWrong) scalarNormalizers[kind](value);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (selfDecoding.has(kind)) throw describe(error, position);
      const isNamed = schema.name !== undefined && error instanceof TypeMismatch;
      this.#keep(isNamed ? new TypeMismatch(error.found, goTypeName(schema)) : error, position);
    }
    // Keeps the original text, because the format of a quantity depends on whether it was written with an exponent.
    if (kind === 'quantity' && numberText !== undefined) {
      (position.parent as Record<string, unknown>)[position.key] = numberText;
    }
  }

  #numberText({ parent, key }: Position): string | undefined {
    return parent === undefined ? undefined : this.#findings.source?.numberTexts.get(parent)?.get(key);
  }

  #reportDuplicate(parent: object, key: string, { path, strict }: { path: string; strict: boolean }): void {
    if (strict && this.#findings.source?.duplicateKeys.get(parent)?.has(key)) this.#findings.duplicate(path);
  }

  #refuse(schema: Schema, value: unknown, position: Position): void {
    if (this.#types && this.firstMismatch === undefined)
      this.#keep(new TypeMismatch(jsonTypeOf(value), goTypeName(schema)), position);
  }

  /** Only the first of these errors is reported. */
  #keep(error: DecodeError, position: Position): void {
    this.firstMismatch ??= describe(error, position);
  }
}

function describe(error: DecodeError, { goStruct, goPath }: Position): DecodeError {
  if (!(error instanceof TypeMismatch) || goStruct === '') return error;
  const target = `Go struct field ${goStruct}.${goPath} of type ${error.goType}`;
  return new DecodeError(`json: cannot unmarshal ${error.found} into ${target}`, { cause: error });
}

/** Go names the embedded struct that declares a field: `spec.volumes.VolumeSource.configMap`. */
function goPathOf({ goPath }: Position, schema: StructSchema, key: string): string {
  const below = [...embeddingPath(schema, key), key].join('.');
  return goPath === '' ? below : `${goPath}.${below}`;
}

function embeddingPath(schema: StructSchema, key: string): readonly string[] {
  for (const { inline, schema: type } of schema.fields) {
    if (inline !== true || type.type !== 'struct' || !fieldsByName(type).has(key)) continue;
    return [goStructName(type), ...embeddingPath(type, key)];
  }
  return [];
}
