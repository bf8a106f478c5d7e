const letter = /^\p{L}/u;
const digits = /\p{Nd}/u;
const exactDigits = 15;

/** Compares keys: letters sort after all other characters, and digits sort by number, so that `a2` precedes `a10`. */
export function compareNaturally(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    if (left >= 0x80 || right >= 0x80) return compareAt(Array.from(a), Array.from(b), codePointsBefore(a, at));
    const isLeftLetter = isAsciiLetter(left);
    const isRightLetter = isAsciiLetter(right);
    if (isLeftLetter && isRightLetter) return left - right;
    if (isLeftLetter || isRightLetter) return isRightLetter ? -1 : 1;
    if (!isAsciiDigit(left) && !isAsciiDigit(right)) return left - right;
    return compareAt(Array.from(a), Array.from(b), codePointsBefore(a, at));
  }
  return a.length - b.length;
}

const isAsciiLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isAsciiDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Counts the code points before an index. Does not count a surrogate pair that the index splits. */
function codePointsBefore(text: string, at: number): number {
  const isInside = at > 0 && text.codePointAt(at - 1)! > 0xffff;
  return Array.from(text.slice(0, isInside ? at - 1 : at)).length;
}

/** Compares by the characters at index `at`, which are the first that differ. */
function compareAt(a: readonly string[], b: readonly string[], at: number): number {
  const left = a[at]!;
  const right = b[at]!;
  const isLeftLetter = letter.test(left);
  const isRightLetter = letter.test(right);
  const difference = left.codePointAt(0)! - right.codePointAt(0)!;
  if (isLeftLetter && isRightLetter) return difference;
  if (isLeftLetter || isRightLetter) return isRightLetter ? -1 : 1;
  // A zero counts as a digit only after a nonzero digit of the same number.
  const seed = (left === '0' || right === '0') && isInsideNumber(a, at) ? '1' : '';
  const leftRun = digitsFrom(a, at);
  const rightRun = digitsFrom(b, at);
  const leftNumber = numberOf(seed + leftRun);
  const rightNumber = numberOf(seed + rightRun);
  if (leftNumber < rightNumber) return -1;
  if (leftNumber > rightNumber) return 1;
  return leftRun.length - rightRun.length || difference;
}

function isInsideNumber(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && digits.test(text[before]!); before--) {
    if (text[before] !== '0') return true;
  }
  return false;
}

function digitsFrom(text: readonly string[], at: number): string {
  let end = at;
  while (end < text.length && isAsciiDigit(text[end]!.codePointAt(0)!)) end++;
  return text.slice(at, end).join('');
}

/** Long runs of digits overflow an int64, as they do in Go's library. */
function numberOf(run: string): number | bigint {
  return run.length <= exactDigits ? Number(run) : BigInt.asIntN(64, BigInt(run));
}
