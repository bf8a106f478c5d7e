/** A version as defined by semver.org 2.0.0. Build metadata is dropped, because it does not affect precedence. */
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

/** Returns undefined if the text is not a valid version. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = syntax.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, preRelease] = match;
  return {
    numbers: [BigInt(major!), BigInt(minor!), BigInt(patch!)],
    preRelease: preRelease === undefined ? [] : preRelease.split('.'),
  };
}

/** Returns a negative number if `left` precedes `right`, and 0 if they have the same precedence. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const [index, value] of left.numbers.entries()) {
    const other = right.numbers[index]!;
    if (value !== other) return value < other ? -1 : 1;
  }
  // A release follows its pre-releases.
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
