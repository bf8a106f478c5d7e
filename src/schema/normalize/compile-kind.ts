import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { StructSchema } from '../model.ts';
import { compileObject } from './compile.ts';
import type { Findings } from './findings.ts';
import { inspect } from './inspect.ts';
import type { Pass } from './pass.ts';

export interface NormalizeOptions {
  /** Fill in the schema's defaults. True unless said otherwise; objects from storage have theirs already. */
  readonly defaults?: boolean;
}

export interface CompiledKind {
  /**
   * A new object in canonical form: checked against the schema, without unknown fields (which `findings` names), `kind`
   * and `apiVersion` first, everything else in schema order, map keys sorted, scalars in their one spelling. Equal
   * objects get equal bytes, and a second pass changes nothing. Values of any JSON type are shared with the input, the
   * rest is not. Throws `DecodeError` with Go's words when a value has the wrong type.
   *
   * Does not look at what the input says of its own kind: that is for the caller to compare.
   */
  normalize(input: unknown, findings: Findings, options?: NormalizeOptions): ResourceObject;
}

interface KindOptions {
  readonly schema: StructSchema;
  readonly kind: string;
  readonly apiVersion: string;
}

/** Costs next to nothing until the first object arrives. */
export function compileKind({ schema, kind, apiVersion }: KindOptions): CompiledKind {
  const normalizeObject = compileObject(schema, { kind, apiVersion });
  return {
    normalize(input, findings, { defaults = true } = {}) {
      const value = input ?? {};
      const pass: Pass = { defaults, unknown: false, needsSchemaCheck: false };
      try {
        // What the text said beyond the value may be an error, and then comes first.
        if (findings.source !== undefined) inspect(schema, value, findings);
        const result = normalizeObject(value, pass);
        if (pass.unknown && findings.source === undefined) inspect(schema, value, findings);
        findings.needsSchemaCheck = pass.needsSchemaCheck;
        return result as ResourceObject;
      } catch (error) {
        throw explain(error, () => inspect(schema, value, findings));
      }
    },
  };
}

/** The fast pass knows that something is wrong but not where. */
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

/** Only recursive types lead that deep, and nothing is left half done by giving up. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message);
}
