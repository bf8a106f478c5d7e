import { type FieldError, fieldErrorText, invalidValue } from './field-error.ts';
import { joinedErrors } from './joined-errors.ts';
import { type LabelOperator, type LabelRequirement, parseInt64 } from './label-requirement.ts';
import { labelKeyErrors, labelValueErrors } from './label-syntax.ts';
import { maxRequirements, tooManyRequirements } from './selector-bounds.ts';
import { badRequest } from './status-error.ts';

/** Parses the requirements of a label selector, in the order of the text. */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  return new Parser(text).requirements();
}

const symbol = /[=!(),><]/;
const tokens = /==|!=|[=!(),><]|[^=!(),>< \t\r\n]+/y;
const space = /[ \t\r\n]*/y;
const comparisons: readonly string[] = ['=', '==', '!=', '>', '<'] satisfies LabelOperator[];

/** A parser with one token of lookahead. The empty token marks the end of the text. */
class Parser {
  readonly #text: string;
  #position = 0;
  #next: string;

  constructor(text: string) {
    // Kubernetes also treats a NUL byte as the end of the text.
    this.#text = text.split('\0', 1)[0]!;
    this.#next = this.#scan();
  }

  requirements(): LabelRequirement[] {
    const found: LabelRequirement[] = [];
    while (this.#next !== '') {
      if (!startsRequirement(this.#next)) {
        throw badRequest(`found '${this.#next}', expected: !, identifier, or 'end of string'`);
      }
      found.push(this.#requirement());
      if (found.length > maxRequirements) throw tooManyRequirements();
      const separator = this.#take();
      if (separator === '') return found;
      if (separator !== ',') throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      if (!startsRequirement(this.#next)) throw badRequest(`found '${this.#next}', expected: identifier after ','`);
    }
    return found;
  }

  #requirement(): LabelRequirement {
    const negated = this.#next === '!';
    if (negated) this.#take();
    const key = this.#take();
    if (!isIdentifier(key)) throw unparsable(`found '${key}', expected: identifier`);
    const keyErrors = labelKeyErrors(key);
    if (keyErrors.length > 0) throw unparsable(fieldErrorText(invalidValue('<nil>', key, keyErrors.join('; '))));
    if (negated) return { key, operator: '!', values: [] };
    if (this.#next === '' || this.#next === ',') return { key, operator: 'exists', values: [] };
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()];
    return checked({ key, operator, values: [...new Set(values)].sort() });
  }

  #operator(): LabelOperator {
    const token = this.#take();
    if (comparisons.includes(token) || token === 'in' || token === 'notin') return token as LabelOperator;
    throw unparsable(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  /** Parses the value after a comparison operator. A missing value is the empty string. */
  #value(): string {
    if (this.#next === '' || this.#next === ',') return '';
    const token = this.#take();
    if (!isIdentifier(token)) throw unparsable(`found '${token}', expected: identifier`);
    return token;
  }

  /** Parses a list in parentheses. A missing value is the empty string: `()`, `(a,)`, `(,a)`. */
  #values(): string[] {
    const open = this.#take();
    if (open !== '(') throw unparsable(`found '${open}' expected: '('`);
    const values: string[] = [];
    let value: string | undefined;
    if (this.#next !== ')' && this.#next !== ',' && !isIdentifier(this.#next)) {
      throw unparsable(`found '${this.#next}', expected: ',', ')' or identifier`);
    }
    for (;;) {
      const token = this.#take();
      if (token === ')') return [...values, value ?? ''];
      if (token === ',') {
        values.push(value ?? '');
        value = undefined;
      } else if (!isIdentifier(token)) {
        throw unparsable(`found '${token}', expected: ',', or identifier`);
      } else {
        value = token;
        if (this.#next !== ',' && this.#next !== ')') {
          throw unparsable(`found '${this.#next}', expected: ',' or ')'`);
        }
      }
    }
  }

  #take(): string {
    const token = this.#next;
    this.#next = this.#scan();
    return token;
  }

  #scan(): string {
    space.lastIndex = this.#position;
    space.exec(this.#text);
    tokens.lastIndex = space.lastIndex;
    const token = tokens.exec(this.#text)?.[0];
    this.#position = token === undefined ? this.#text.length : tokens.lastIndex;
    return token ?? '';
  }
}

function startsRequirement(token: string): boolean {
  return token === '!' || isIdentifier(token);
}

function isIdentifier(token: string): boolean {
  return token !== '' && !symbol.test(token);
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const errors: FieldError[] = [];
  if ((operator === '>' || operator === '<') && parseInt64(values[0]!) === undefined) {
    const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
    errors.push(invalidValue('values[0]', values[0], detail));
  }
  for (const [index, value] of values.entries()) {
    const details = labelValueErrors(value);
    if (details.length > 0) errors.push(invalidValue(`values[${index}][${key}]`, value, details.join('; ')));
  }
  if (errors.length === 0) return requirement;
  throw unparsable(joinedErrors(errors.map(fieldErrorText)));
}

function unparsable(detail: string) {
  return badRequest(`unable to parse requirement: ${detail}`);
}
