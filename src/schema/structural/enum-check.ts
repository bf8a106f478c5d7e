import { notSupportedValue } from '../../meta/field-error.ts';
import { valueText } from './correlation.ts';
import { sortedValue } from './sorted-value.ts';
import type { ValidationRun } from './validation-run.ts';

/** The values that a schema allows. */
export class EnumCheck {
  readonly #plain: ReadonlySet<unknown>;
  /** The allowed lists and objects, as texts. */
  readonly #nested: ReadonlySet<string>;
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
    this.#plain = new Set(values.filter((value) => typeof value !== 'object'));
    this.#nested = new Set(values.filter((value) => typeof value === 'object' && value !== null).map(valueText));
  }

  check(value: unknown, run: ValidationRun): void {
    if (this.#allows(value)) return;
    run.add(() => notSupportedValue(run.field, value, this.#values.map(printed)));
  }

  #allows(value: unknown): boolean {
    if (this.#plain.has(value)) return true;
    // Go converts the value to the type of the allowed value.
    if (typeof value === 'number') return this.#plain.has(Math.trunc(value));
    if (typeof value !== 'object' || value === null) return false;
    return this.#nested.size > 0 && this.#nested.has(valueText(value));
  }
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(sortedValue(value), printedInteger);
}

/** TypeScript's library does not declare `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

const printedInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value;
