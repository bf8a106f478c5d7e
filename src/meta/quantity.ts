import { DecodeError } from './decode-error.ts';

/** The family of suffixes in which a quantity was written. Formatting uses the same family. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The exact number `unscaled * 10 ** exponent`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";
const wrongNumber = 'unable to parse numeric part of quantity';

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
/**
 * A number of up to three digits is canonical with any suffix, because no other suffix makes it shorter. `Ei` is
 * excluded because the amount may exceed the limit.
 */
const alreadyCanonical = /^[1-9][0-9]{0,2}(?:[numkMGTPE]|[KMGTP]i)?$/;

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const minExponent = -9;
const maxDecimalExponent = 18;
const maxBinary = 2n ** 63n - 1n;
/** Limits on the input. Computing the powers of ten of larger numbers would block the event loop. */
const maxNumberLength = 1_000;
const maxExponent = 10_000;

/**
 * A cache of parsed texts: a cluster uses a small set of amounts, and several components parse those of the same
 * object.
 */
const parsed = new Map<string, Quantity>();
const maxParsed = 1024;
const maxKeptLength = 16;

/** Accepts everything that Kubernetes accepts, including `1.`, `.5` and `+1`. */
export function parseQuantity(text: string): Quantity {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const quantity = readQuantity(text);
  if (text.length > maxKeptLength) return quantity;
  if (parsed.size === maxParsed) parsed.clear();
  parsed.set(text, quantity);
  return quantity;
}

function readQuantity(text: string): Quantity {
  const match = text === '' ? null : shape.exec(text);
  if (match === null) throw new DecodeError(wrongFormat);
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const { base, power, format } = interpretSuffix(suffix);
  if (whole.length + fraction.length > maxNumberLength) throw new DecodeError(wrongNumber);
  const digits = BigInt(whole + fraction);
  const scaled = base === 2 ? digits << BigInt(power) : digits;
  const amount = roundUpToNano(scaled, (base === 10 ? power : 0) - fraction.length);
  const limited = format === 'BinarySI' ? limitBinary(amount) : amount;
  return {
    unscaled: sign === '-' ? -limited.unscaled : limited.unscaled,
    exponent: limited.exponent,
    format: format === 'BinarySI' && isBelowOne(limited) ? 'DecimalSI' : format,
  };
}

function interpretSuffix(suffix: string): { base: 2 | 10; power: number; format: QuantityFormat } {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal !== -1) return { base: 10, power: decimal * 3 + minExponent, format: 'DecimalSI' };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary !== -1) return { base: 2, power: binary * 10, format: 'BinarySI' };
  if (/^[eE][-+]?[0-9]+$/.test(suffix)) {
    const power = Number(suffix.slice(1));
    if (power <= maxExponent) return { base: 10, power, format: 'DecimalExponent' };
  }
  throw new DecodeError(wrongSuffix);
}

interface Amount {
  readonly unscaled: bigint;
  readonly exponent: number;
}

/** Rounds up to the smallest amount that can be represented, so that a small positive amount never becomes zero. */
function roundUpToNano(unscaled: bigint, exponent: number): Amount {
  if (exponent >= minExponent || unscaled === 0n) return { unscaled, exponent };
  const surplus = minExponent - exponent;
  if (surplus > decimalLength(unscaled)) return { unscaled: 1n, exponent: minExponent };
  const divisor = 10n ** BigInt(surplus);
  return { unscaled: (unscaled + divisor - 1n) / divisor, exponent: minExponent };
}

function limitBinary(amount: Amount): Amount {
  return compareAmounts(amount, { unscaled: maxBinary, exponent: 0 }) > 0
    ? { unscaled: maxBinary, exponent: 0 }
    : amount;
}

function isBelowOne(amount: Amount): boolean {
  return amount.unscaled > 0n && compareAmounts(amount, { unscaled: 1n, exponent: 0 }) < 0;
}

const decimalLength = (value: bigint): number => value.toString().length - (value < 0n ? 1 : 0);

/** Returns the canonical text of an amount in its format: `1000m` is `1`, `1024Ki` is `1Mi`, `0.5` is `500m`. */
export function formatQuantity({ unscaled, exponent, format }: Quantity): string {
  if (unscaled === 0n) return '0';
  if (format === 'BinarySI') {
    const whole = wholeNumber(unscaled, exponent);
    // Smaller or fractional amounts would lose precision or readability in powers of 1024.
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return formatBinary(whole);
  }
  return formatDecimal({ unscaled, exponent }, format);
}

function wholeNumber(unscaled: bigint, exponent: number): bigint | undefined {
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function formatBinary(whole: bigint): string {
  let value = whole;
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${binarySuffixes[power]}`;
}

function formatDecimal({ unscaled, exponent }: Amount, format: QuantityFormat): string {
  const digits = unscaled.toString();
  const significant = digits.replace(/0+$/, '');
  let power = exponent + digits.length - significant.length;
  const padding = ((power % 3) + 3) % 3;
  power -= padding;
  if (format === 'DecimalExponent') return `${significant}${'0'.repeat(padding)}${power === 0 ? '' : `e${power}`}`;
  // Kubernetes has no suffix above E and omits it, so that 10^22 becomes 10.
  const suffix = power > maxDecimalExponent ? '' : decimalSuffixes[(power - minExponent) / 3];
  return `${significant}${'0'.repeat(padding)}${suffix}`;
}

/** Parses a quantity and formats it as Kubernetes does: canonically, unless the text passes for canonical. */
export function canonicalQuantity(text: string): string {
  if (alreadyCanonical.test(text)) return text;
  const trimmed = text.trim();
  const quantity = parseQuantity(trimmed);
  return keepsText(trimmed) ? trimmed : formatQuantity(quantity);
}

/** The number of digits whose amount fits an integer of 64 bits. */
const maxDecimalDigits = 18;
const maxBinaryDigits = 14;

/**
 * Kubernetes keeps the text of a small amount when no other suffix could shorten it. It only looks at the digits, so
 * that `+1`, `007` and `1.` are kept as well.
 */
function keepsText(text: string): boolean {
  const [, , whole = '', fraction = '', suffix = ''] = shape.exec(text)!;
  const { base, power } = interpretSuffix(suffix);
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  if (base === 2) {
    const fits = digits.length <= maxBinaryDigits - (power * 3) / 10;
    return fits && fraction === '' && Number(digits) % 8 !== 0;
  }
  const scale = power - fraction.length;
  const fits = digits.length <= maxDecimalDigits && scale >= minExponent;
  return fits && scale % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
}

/** Returns a negative number, zero or a positive number, as for `Array.sort`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return compareAmounts(left, right);
}

function compareAmounts(left: Amount, right: Amount): number {
  if (left.exponent === right.exponent) return signOf(left.unscaled - right.unscaled);
  const leftSign = signOf(left.unscaled);
  const signs = leftSign - signOf(right.unscaled);
  if (signs !== 0 || leftSign === 0) return signs;
  // Compares magnitudes first, because exponents may be far apart and large powers of ten are expensive to compute.
  const magnitudes = magnitude(left) - magnitude(right);
  if (magnitudes !== 0) return magnitudes * leftSign;
  const { leftUnscaled, rightUnscaled } = align(left, right);
  return leftUnscaled < rightUnscaled ? -1 : leftUnscaled > rightUnscaled ? 1 : 0;
}

const signOf = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);
const magnitude = ({ unscaled, exponent }: Amount): number => decimalLength(unscaled) + exponent;

function align(left: Amount, right: Amount): { leftUnscaled: bigint; rightUnscaled: bigint; exponent: number } {
  const exponent = Math.min(left.exponent, right.exponent);
  return {
    leftUnscaled: left.unscaled * 10n ** BigInt(left.exponent - exponent),
    rightUnscaled: right.unscaled * 10n ** BigInt(right.exponent - exponent),
    exponent,
  };
}

/** Returns the sum in the format of the left operand, or in that of the right one when the left one is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  if (left.unscaled === 0n) return right;
  if (right.unscaled === 0n) return left;
  const { leftUnscaled, rightUnscaled, exponent } = align(left, right);
  return { unscaled: leftUnscaled + rightUnscaled, exponent, format: left.format };
}

export function negateQuantity({ unscaled, exponent, format }: Quantity): Quantity {
  return { unscaled: -unscaled, exponent, format };
}

/** Returns the amount times `10 ** power`, rounded up to an integer of 64 bits. */
export function scaledValue(text: string, power: number): bigint {
  const { unscaled, exponent } = parseQuantity(text);
  const shift = exponent + power;
  if (shift >= 0) return limited(unscaled * 10n ** BigInt(shift), unscaled);
  const divisor = 10n ** BigInt(-shift);
  const rest = unscaled % divisor;
  return limited(unscaled / divisor + (rest > 0n ? 1n : 0n), unscaled);
}

/** A number of up to 18 digits whose multiple is too large counts as zero. A larger number loses its upper bits. */
function limited(value: bigint, unscaled: bigint): bigint {
  const low = BigInt.asIntN(64, value);
  if (low === value) return value;
  return unscaled < 10n ** 18n && unscaled > -(10n ** 18n) ? 0n : low;
}
