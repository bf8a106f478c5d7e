import { type FieldError, typeInvalidValue } from '../../meta/field-error.ts';
import { isGoInteger } from '../../meta/go-number.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { isKnownFormat } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { isNearInteger } from './near-integer.ts';
import type { ValidationRun } from './validation-run.ts';

/** Formats of the Go types to which numbers are decoded. */
const goFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

/** The error of a value that is not of the wanted type or format. */
export function wrongType(found: string, wanted: string, run: ValidationRun): FieldError {
  return typeInvalidValue(run.field, found, `${run.name} in body must be of type ${wanted}: ${goQuote(found)}`);
}

/** The type that a schema requires. Unknown formats are ignored. */
export class TypeCheck {
  readonly types: readonly string[];
  readonly format: string;
  readonly #nullable: boolean;

  constructor(schema: JsonSchema) {
    const { type = '', format = '' } = schema;
    const either = schema['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : undefined;
    this.types = either ?? (type === '' ? [] : [type]);
    this.format = isKnownFormat(format) ? format : '';
    this.#nullable = schema.nullable === true;
  }

  /** Whether there is anything to check. */
  get applies(): boolean {
    return this.types.length > 0 || this.format !== '';
  }

  /** Returns the number of matches. */
  check(value: unknown, run: ValidationRun): 0 | 1 {
    const { types, format } = this;
    const found = jsonType(value);
    if (found === 'null') {
      return this.#nullable || types.length === 0 ? 1 : this.#refuse(types.join(','), 'null', run);
    }
    if (types.length === 1 ? types[0] === found : types.includes(found)) return 1;
    if (found === 'integer' && types.includes('number')) return 1;
    if (found === 'number' && types.includes('integer') && isNearInteger(value as number)) return 1;
    if (format !== '') {
      const isText = found === 'string' || found === 'array';
      const goFormat = goFormats[found] ?? '';
      if (!isText && goFormat !== format) return this.#refuse(format, goFormat, run);
      // Kubernetes leaves values that could be texts to the check of the format.
      if (isText && !types.includes('number') && !types.includes('integer')) return 1;
    }
    return types.length === 0 ? 1 : this.#refuse(types.join(','), found, run);
  }

  #refuse(wanted: string, found: string, run: ValidationRun): 0 {
    run.add(() => wrongType(found, wanted, run));
    return 0;
  }
}

/** The type of a value in the words of JSON Schema. */
function jsonType(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return isGoInteger(value) ? 'integer' : 'number';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return typeof value;
  }
}
