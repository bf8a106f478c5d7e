/** How one requirement compares a label; the spelling of each operator is kept because a selector prints as it was written. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and without duplicates; one value for `=`, `==`, `!=`, `>` and `<`, none for `exists` and `!`. */
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** A test of the value that an object has for the key of a requirement, if it has one. */
export type LabelTest = (value: string | undefined) => boolean;

/** The test is called for every object of a list: it makes nothing. */
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
    const value = typeof text === 'string' ? rememberedInt64(text) : undefined;
    if (value === undefined) return false;
    return operator === '>' ? value > bound : value < bound;
  };
}

let lastText = '';
let lastValue: bigint | undefined;

/** One object's label may be compared with many bounds, one after the other. */
function rememberedInt64(text: string): bigint | undefined {
  if (text !== lastText) {
    lastText = text;
    lastValue = parseInt64(text);
  }
  return lastValue;
}

/** The integer that a text stands for, or undefined when it is none or does not fit 64 bits. */
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
