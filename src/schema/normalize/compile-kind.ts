import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { markExplicitEmpty } from '../explicit-empty.ts';
import type { StructSchema } from '../model.ts';
import { compileObject } from './compile.ts';
import type { Findings } from './findings.ts';
import { inspect } from './inspect.ts';
import type { Pass } from './pass.ts';

export interface NormalizeOptions {
  /** Whether to set the schema's defaults. True by default; false for stored objects, which already have theirs. */
  readonly defaults?: boolean;
  /**
   * For custom objects: whether nulls in fields that are not nullable are dropped (the default), or kept, as after an
   * apply.
   */
  readonly nulls?: 'drop' | 'keep';
  /** Whether to sort the keys in values of arbitrary JSON types, in which their order is kept otherwise. */
  readonly sortsKeys?: boolean;
}

export interface CompiledKind {
  /**
   * Returns a new object in canonical form: checked against the schema, without unknown fields (which `findings`
   * reports), `kind` and `apiVersion` first, the other fields in schema order, map keys sorted, scalars in canonical
   * spelling. Equal objects are encoded to equal bytes, and normalization is idempotent. Values of arbitrary JSON types
   * are shared with the input, all others are copied. Throws `DecodeError` with Go's message when a value has the wrong
   * type. Custom objects are sorted by key, and their values are only checked by validation, except the metadata.
   *
   * Ignores the `kind` and `apiVersion` of the input; the caller compares them.
   */
  normalize(input: unknown, findings: Findings, options?: NormalizeOptions): ResourceObject;
}

interface KindOptions {
  readonly schema: StructSchema;
  readonly kind: string;
  readonly apiVersion: string;
}

/** Compiles lazily: the cost arises when the first object is normalized. */
export function compileKind({ schema, kind, apiVersion }: KindOptions): CompiledKind {
  const normalizeObject = compileObject(schema, { kind, apiVersion });
  return {
    normalize(input, findings, { defaults = true, nulls = 'drop', sortsKeys = false } = {}) {
      const value = input ?? {};
      const pass: Pass = {
        defaults,
        keepsNulls: nulls === 'keep',
        sortsKeys,
        unknown: false,
        needsSchemaCheck: false,
      };
      try {
        // Duplicate keys and number spellings can be errors, which take precedence over those of the fast pass.
        if (findings.source !== undefined) inspect(schema, value, findings);
        const result = normalizeObject(value, pass);
        if (pass.unknown && findings.source === undefined) inspect(schema, value, findings);
        findings.needsSchemaCheck = pass.needsSchemaCheck;
        if (pass.explicitEmpty === true) markExplicitEmpty(result as ResourceObject);
        return result as ResourceObject;
      } catch (error) {
        throw explain(error, () => inspect(schema, value, findings));
      }
    },
  };
}

/** The fast pass detects an error but does not know its path, so the slow walk determines the message. */
function explain(error: unknown, inspectAgain: () => void): unknown {
  if (isStackOverflow(error)) return new DecodeError('exceeded max depth', { cause: error });
  if (!(error instanceof DecodeError) || error instanceof BoundsError) return error;
  try {
    inspectAgain();
  } catch (explained) {
    return explained;
  }
  return error;
}

/**
 * Only deeply nested values of recursive types overflow the stack. Catching it is safe: no state is left inconsistent.
 */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}
