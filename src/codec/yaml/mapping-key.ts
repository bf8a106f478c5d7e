import { DecodeError } from '../../meta/decode-error.ts';
import { goFloat } from '../../meta/go-number.ts';
import { goQuote } from '../../meta/go-quote.ts';

const int64Bound = 2n ** 63n;
/** The maximum depth to which the error message prints an invalid key. */
const maxPrintedDepth = 100;

export interface MappingKey {
  /** The key in the JSON object. */
  readonly name: string;
  /** The key as Go prints it. A number and a string of the same digits are different keys. */
  readonly syntax: string;
}

/** Converts a key of any type. `source` is its text in the document. */
export function mappingKey(value: unknown, source: string): MappingKey {
  switch (typeof value) {
    case 'string':
      return { name: value, syntax: goQuote(value) };
    case 'boolean':
      return { name: String(value), syntax: String(value) };
    case 'bigint':
      if (value >= int64Bound) throw unsupported('uint64', `0x${value.toString(16)}`);
      return { name: String(value), syntax: String(value) };
    case 'number':
      return numberKey(value, source);
    default:
      if (value === null) throw unsupported('%!s(<nil>)', '<nil>');
      throw new DecodeError(`yaml: invalid map key: ${goSyntax(value, maxPrintedDepth)}`);
  }
}

function unsupported(type: string, key: string): DecodeError {
  return new DecodeError(`unsupported map key of type: ${type}, key: ${key}`);
}

function numberKey(value: number, source: string): MappingKey {
  const isInteger = Number.isInteger(value) && !/[.eE]/.test(source.replace(/^[-+]?0[xX].*/, ''));
  if (isInteger) return { name: String(value), syntax: String(value) };
  return { name: formatFloat(shortestFloat32(value)), syntax: formatFloat(value) };
}

/** Float keys are formatted with the precision of a float32, unlike float values. */
function shortestFloat32(value: number): number {
  const rounded = Math.fround(value);
  if (!Number.isFinite(rounded)) return rounded;
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(rounded.toPrecision(digits));
    if (Math.fround(candidate) === rounded) return candidate;
  }
  return Number(rounded.toPrecision(9));
}

function goSyntax(value: unknown, depth: number): string {
  if (depth === 0) return '...';
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map((item) => goSyntax(item, depth - 1)).join(', ')}}`;
  const entries = Object.entries(value).map(([key, item]) => `${goQuote(key)}:${goSyntax(item, depth - 1)}`);
  return `map[interface {}]interface {}{${entries.join(', ')}}`;
}

function formatFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return goFloat(value);
}
