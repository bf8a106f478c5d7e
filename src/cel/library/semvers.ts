import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { unitCost } from '../cost/call-cost.ts';
import { OpaqueValue } from '../evaluate/values.ts';
import { isParsable } from './parsable.ts';
import { parseCost } from './text-costs.ts';

const syntax =
  /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const maxLength = 1_000;
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

  static parse(text: string): Semver {
    const match = text.length > maxLength ? null : syntax.exec(text);
    if (match === null) throw new CelError(problemOf(text));
    const numbers = match.slice(1, 4).map(BigInt);
    const prerelease = match[4]?.split('.') ?? [];
    const leadingZero = prerelease.find(
      (identifier) => identifier.length > 1 && identifier.startsWith('0') && digits.test(identifier),
    );
    if (leadingZero !== undefined) {
      throw new CelError(`Numeric PreRelease version must not contain leading zeroes "${leadingZero}"`);
    }
    if (numbers.some((number) => number > maxNumber)) throw new CelError(`version number out of range in "${text}"`);
    return new Semver(numbers, prerelease);
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

function problemOf(text: string): string {
  if (text === '') return 'Version string empty';
  const elements = text.split('.');
  if (elements.length < 3) return 'No Major.Minor.Patch elements found';
  const names = ['Major', 'Minor'];
  for (const [index, name] of names.entries()) {
    const element = elements[index]!;
    if (!digits.test(element)) return `Invalid character(s) found in ${name.toLowerCase()} number "${element}"`;
    if (element.length > 1 && element.startsWith('0')) {
      return `${name} number must not contain leading zeroes "${element}"`;
    }
  }
  return `Invalid character(s) found in patch number "${elements.slice(2).join('.')}"`;
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
