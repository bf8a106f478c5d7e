import { goQuote } from '../../meta/go-quote.ts';
import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { unitCost } from '../cost/call-cost.ts';
import { OpaqueValue } from '../evaluate/values.ts';
import { isParsable } from './parsable.ts';
import { parseCost } from './text-costs.ts';

const maxNumber = 2n ** 64n - 1n;
const digits = /^[0-9]+$/;

/** A semantic version. Build metadata does not count in comparisons. */
class Semver extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  /** Reports the first problem, in the order in which Kubernetes reads the parts. */
  static parse(text: string): Semver {
    if (text === '') throw new CelError('Version string empty');
    const [major, minor, ...rest] = text.split('.');
    if (rest.length === 0) throw new CelError('No Major.Minor.Patch elements found');
    const numbers = [numberOf(major!, 'Major'), numberOf(minor!, 'Minor')];
    const [, patch = '', prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(rest.join('.'))!;
    numbers.push(numberOf(patch, 'Patch'));
    const identifiers = prerelease?.split('.') ?? [];
    identifiers.forEach(checkPrerelease);
    build?.split('.').forEach(checkBuild);
    return new Semver(numbers, identifiers);
  }

  /** Also accepts a leading `v`, missing minor and patch numbers, and leading zeros. */
  static parseNormalized(text: string): Semver {
    const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
    const elements = [
      major,
      ...(minor === undefined ? [] : [minor]),
      ...(rest.length === 0 ? [] : [rest.join('.')]),
    ].map((element) => (element.length > 1 ? element.replace(/^0+(?=[0-9])/, '') : element));
    if (elements.length < 3 && /[+-]/.test(elements.at(-1)!)) {
      throw new CelError('short version cannot contain PreRelease/Build meta data');
    }
    while (elements.length < 3) elements.push('0');
    return Semver.parse(elements.join('.'));
  }

  compareTo(other: Semver): number {
    for (const [index, number] of this.numbers.entries()) {
      const otherNumber = other.numbers[index]!;
      if (number !== otherNumber) return number < otherNumber ? -1 : 1;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }

  override equals(other: OpaqueValue): boolean {
    return this.compareTo(other as Semver) === 0;
  }
}

function numberOf(text: string, name: string): bigint {
  if (/[^0-9]/.test(text)) {
    throw new CelError(`Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(text)}`);
  }
  if (hasLeadingZero(text)) throw new CelError(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  return unsigned(text);
}

/** No number that is valid has more digits. */
const maxDigits = 20;

function unsigned(text: string): bigint {
  if (text === '') throw new CelError('strconv.ParseUint: parsing "": invalid syntax');
  const number = text.length > maxDigits ? undefined : BigInt(text);
  if (number !== undefined && number <= maxNumber) return number;
  throw new CelError(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
}

const hasLeadingZero = (text: string): boolean => text.length > 1 && text.startsWith('0');
const alphanumeric = /^[0-9A-Za-z-]+$/;

function checkPrerelease(text: string): void {
  if (text === '') throw new CelError('Prerelease is empty');
  if (digits.test(text)) {
    if (!hasLeadingZero(text)) unsigned(text);
    else throw new CelError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
  } else if (!alphanumeric.test(text)) {
    throw new CelError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  }
}

function checkBuild(text: string): void {
  if (text === '') throw new CelError('Build meta data is empty');
  if (!alphanumeric.test(text)) throw new CelError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

/** A version without a prerelease is newer. Numbers come before texts. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return Math.sign(right.length - left.length);
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a, b] = [left[index]!, right[index]!];
    if (a === b) continue;
    const [aNumeric, bNumeric] = [digits.test(a), digits.test(b)];
    if (aNumeric && bNumeric) return BigInt(a) < BigInt(b) ? -1 : 1;
    if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}

const isSemver = isParsable(Semver.parse);
const isNormalizable = isParsable(Semver.parseNormalized);
const numberAt = (index: number) => (version: Semver) => BigInt.asIntN(64, version.numbers[index]!);
const parse = { cost: parseCost };
const unit = { cost: unitCost };

/** `semver()`, `isSemver()` and the functions of versions. */
export const semvers: readonly Overload[] = [
  defineFunction(
    'semver',
    {
      '(string): Semver': (text: string) => Semver.parse(text),
      '(string, bool): Semver': (text: string, normalize: boolean) =>
        normalize ? Semver.parseNormalized(text) : Semver.parse(text),
    },
    parse,
  ),
  defineFunction(
    'isSemver',
    {
      '(string): bool': isSemver,
      '(string, bool): bool': (text: string, normalize: boolean) => (normalize ? isNormalizable(text) : isSemver(text)),
    },
    parse,
  ),
  defineFunction('major', { 'Semver.(): int': numberAt(0) }, unit),
  defineFunction('minor', { 'Semver.(): int': numberAt(1) }, unit),
  defineFunction('patch', { 'Semver.(): int': numberAt(2) }, unit),
  defineFunction('isGreaterThan', { 'Semver.(Semver): bool': (a: Semver, b: Semver) => a.compareTo(b) > 0 }, unit),
  defineFunction('isLessThan', { 'Semver.(Semver): bool': (a: Semver, b: Semver) => a.compareTo(b) < 0 }, unit),
  defineFunction('compareTo', { 'Semver.(Semver): int': (a: Semver, b: Semver) => BigInt(a.compareTo(b)) }, unit),
].flat();
