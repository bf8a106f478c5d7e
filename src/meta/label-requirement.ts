/** The operator of a requirement. `=` and `==` are distinct because a selector prints the operator that was written. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without duplicates. One value for `=`, `==`, `!=`, `>` and `<`; none for `exists` and `!`. */
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** Tests an object's value for the key of a requirement. Undefined when the object lacks the label. */
export type LabelTest = (value: string | undefined) => boolean;

/** Compiles a requirement. The returned test runs for every object of a list, so it allocates nothing. */
export function labelTest({ operator, values }: LabelRequirement): LabelTest {
  const [first = ''] = values;
  switch (operator) {
    case '=':
    case '==':
      return (value) => value === first;
    case 'in': {
      const wanted = new Set<string | undefined>(values);
      return (value) => wanted.has(value);
    }
    case '!=':
    case 'notin': {
      const unwanted = new Set<string | undefined>(values);
      return (value) => !unwanted.has(value);
    }
    case 'exists':
      return (value) => typeof value === 'string';
    case '!':
      return (value) => typeof value !== 'string';
    case '>':
    case '<':
      return orderTest(operator, parseInt64(first));
  }
}

function orderTest(operator: '>' | '<', bound: bigint | undefined): LabelTest {
  if (bound === undefined) return () => false;
  return (text) => {
    const value = typeof text === 'string' ? cachedInt64(text) : undefined;
    if (value === undefined) return false;
    return operator === '>' ? value > bound : value < bound;
  };
}

let lastText = '';
let lastValue: bigint | undefined;

/** Caches the last parsed label, because many requirements may compare the same label in succession. */
function cachedInt64(text: string): bigint | undefined {
  if (text !== lastText) {
    lastText = text;
    lastValue = parseInt64(text);
  }
  return lastValue;
}

/** Parses a decimal integer. Returns undefined when the text is not an integer or does not fit 64 bits. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

export function requirementText({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}
