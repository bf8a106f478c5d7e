import { DecodeError } from '../../meta/decode-error.ts';
import { addQuantities, compareQuantities, negateQuantity, parseQuantity, type Quantity } from '../../meta/quantity.ts';
import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { unitCost } from '../cost/call-cost.ts';
import { OpaqueValue } from '../evaluate/values.ts';
import { isParsable } from './parsable.ts';
import { parseCost } from './text-costs.ts';

class QuantityValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  static parse(text: string): QuantityValue {
    try {
      return new QuantityValue(parseQuantity(text));
    } catch (error) {
      if (error instanceof DecodeError) throw new CelError(error.message);
      throw error;
    }
  }

  override equals(other: OpaqueValue): boolean {
    return compare(this, other as QuantityValue) === 0n;
  }
}

const compare = (left: QuantityValue, right: QuantityValue): bigint =>
  BigInt(Math.sign(compareQuantities(left.quantity, right.quantity)));

/** The amount as an int. Undefined when it is none. */
function integerOf({ quantity: { unscaled, exponent } }: QuantityValue): bigint | undefined {
  // A larger power makes any amount too large, and is expensive to compute.
  if (exponent > 20) return unscaled === 0n ? 0n : undefined;
  const power = 10n ** BigInt(Math.abs(exponent));
  if (exponent < 0 && unscaled % power !== 0n) return undefined;
  const value = exponent < 0 ? unscaled / power : unscaled * power;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function asInteger(value: QuantityValue): bigint {
  const integer = integerOf(value);
  if (integer === undefined) throw new CelError('cannot convert value to integer');
  return integer;
}

const integerQuantity = (value: bigint): Quantity => ({ unscaled: value, exponent: 0, format: 'DecimalSI' });
const sum = (left: QuantityValue, right: Quantity): QuantityValue =>
  new QuantityValue(addQuantities(left.quantity, right));

const parse = { cost: parseCost };
const unit = { cost: unitCost };

/** `quantity()`, `isQuantity()` and the functions of quantities. */
export const quantities: readonly Overload[] = [
  defineFunction('quantity', { '(string): Quantity': (text: string) => QuantityValue.parse(text) }, parse),
  defineFunction('isQuantity', { '(string): bool': isParsable(QuantityValue.parse) }, parse),
  defineFunction(
    'sign',
    {
      'Quantity.(): int': ({ quantity: { unscaled } }: QuantityValue) =>
        unscaled > 0n ? 1n : unscaled < 0n ? -1n : 0n,
    },
    unit,
  ),
  defineFunction(
    'isGreaterThan',
    { 'Quantity.(Quantity): bool': (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0n },
    unit,
  ),
  defineFunction(
    'isLessThan',
    { 'Quantity.(Quantity): bool': (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0n },
    unit,
  ),
  defineFunction('compareTo', { 'Quantity.(Quantity): int': compare }, unit),
  defineFunction(
    'asApproximateFloat',
    {
      'Quantity.(): double': ({ quantity: { unscaled, exponent } }: QuantityValue) => Number(`${unscaled}e${exponent}`),
    },
    unit,
  ),
  defineFunction('asInteger', { 'Quantity.(): int': asInteger }, unit),
  defineFunction('isInteger', { 'Quantity.(): bool': (value: QuantityValue) => integerOf(value) !== undefined }, unit),
  defineFunction(
    'add',
    {
      'Quantity.(Quantity): Quantity': (a: QuantityValue, b: QuantityValue) => sum(a, b.quantity),
      'Quantity.(int): Quantity': (a: QuantityValue, b: bigint) => sum(a, integerQuantity(b)),
    },
    unit,
  ),
  defineFunction(
    'sub',
    {
      'Quantity.(Quantity): Quantity': (a: QuantityValue, b: QuantityValue) => sum(a, negateQuantity(b.quantity)),
      'Quantity.(int): Quantity': (a: QuantityValue, b: bigint) => sum(a, integerQuantity(-b)),
    },
    unit,
  ),
].flat();
