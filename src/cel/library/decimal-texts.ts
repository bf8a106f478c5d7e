/** A double has no more decimals. */
const maxDecimals = 1074;
const superscripts: readonly string[] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/** The digits that `%e` writes. */
const scientificDigits = 7;
const smallestScientific = 10n ** BigInt(scientificDigits - 1);

/** `1,234.50`: the exact decimal value, rounded half to even, in English. */
export function fixedText(value: number, precision: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const places = Math.min(precision, maxDecimals);
  const digits = String(scaled(value, places)).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
  // The formatter of Kubernetes holds the least number of decimals in eight bits.
  const least = precision % 256;
  const decimals = places > least ? withoutZeros(digits.slice(-places), least) : digits.slice(digits.length - places);
  const fraction = decimals.padEnd(least, '0');
  return `${value < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `1.234500×10⁰³`, with spaces in front up to the width. */
export function scientificText(value: number, width: number): string {
  const text = Number.isFinite(value) ? finiteScientificText(value) : specialText(value);
  return text.padStart(width);
}

function finiteScientificText(value: number): string {
  // The exponent of the shortest text may differ by one from that of the exact value.
  let exponent = value === 0 ? 0 : Number(value.toExponential().split('e')[1]);
  let digits = scaled(value, scientificDigits - 1 - exponent);
  if (digits >= smallestScientific * 10n) digits = scaled(value, scientificDigits - 1 - ++exponent);
  else if (value !== 0 && digits < smallestScientific) digits = scaled(value, scientificDigits - 1 - --exponent);
  const text = String(digits).padEnd(scientificDigits, '0');
  const power = String(Math.abs(exponent))
    .padStart(2, '0')
    .replace(/./g, (digit) => superscripts[Number(digit)]!);
  return `${value < 0 ? '-' : ''}${text[0]}.${text.slice(1)}×10${exponent < 0 ? '⁻' : ''}${power}`;
}

function specialText(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-∞' : '∞';
}

function withoutZeros(decimals: string, least: number): string {
  let end = decimals.length;
  while (end > least && decimals[end - 1] === '0') end--;
  return decimals.slice(0, end);
}

/** The size of the value times a power of ten, rounded half to even. */
function scaled(value: number, power: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(value));
  const raw = bits.getBigUint64(0);
  const exponent = Number(raw >> 52n);
  const mantissa = raw & (2n ** 52n - 1n);
  // Subnormal numbers have no hidden bit.
  let numerator = exponent === 0 ? mantissa : mantissa + 2n ** 52n;
  let denominator = 1n;
  const shift = Math.max(exponent, 1) - 1075;
  if (shift < 0) denominator <<= BigInt(-shift);
  else numerator <<= BigInt(shift);
  if (power < 0) denominator *= 10n ** BigInt(-power);
  else numerator *= 10n ** BigInt(power);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
