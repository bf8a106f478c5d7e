/** A version as semver.org 2.0.0 defines it. What is built is of no consequence for the order. */
export interface SemanticVersion {
  readonly numbers: readonly bigint[];
  /** Empty for a release. */
  readonly preRelease: readonly string[];
}

const number = '(0|[1-9]\\d*)';
const identifier = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const syntax = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);
const digits = /^\d+$/;

/** Undefined when the text is no version. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = syntax.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, preRelease] = match;
  return {
    numbers: [BigInt(major!), BigInt(minor!), BigInt(patch!)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  };
}

/** Negative when `left` comes before `right`, 0 when they are of the same rank. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const [index, value] of left.numbers.entries()) {
    const other = right.numbers[index]!;
    if (value !== other) return value < other ? -1 : 1;
  }
  // A release comes after all that led to it.
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return Number(left.preRelease.length === 0) - Number(right.preRelease.length === 0);
  }
  for (const [index, value] of left.preRelease.entries()) {
    const other = right.preRelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(value, other);
    if (order !== 0) return order;
  }
  return left.preRelease.length - right.preRelease.length;
}

function compareIdentifiers(left: string, right: string): number {
  const [isNumber, isOtherNumber] = [digits.test(left), digits.test(right)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (!isNumber) return left < right ? -1 : Number(left > right);
  const [value, other] = [BigInt(left), BigInt(right)];
  return value < other ? -1 : Number(value > other);
}
