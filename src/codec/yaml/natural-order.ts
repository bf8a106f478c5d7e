const letter = /^\p{L}/u;
const digits = /\p{Nd}/u;
const exactDigits = 15;

/** The order of keys: letters behind all else, and runs of digits by their number, so that `a2` stands before `a10`. */
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

/** How many characters there are before an index. In the midst of a pair, the pair is not before it. */
function codePointsBefore(text: string, at: number): number {
  const isInside = at > 0 && text.codePointAt(at - 1)! > 0xffff;
  return Array.from(text.slice(0, isInside ? at - 1 : at)).length;
}

/** By the first characters that differ. */
function compareAt(a: readonly string[], b: readonly string[], at: number): number {
  const left = a[at]!;
  const right = b[at]!;
  const isLeftLetter = letter.test(left);
  const isRightLetter = letter.test(right);
  const difference = left.codePointAt(0)! - right.codePointAt(0)!;
  if (isLeftLetter && isRightLetter) return difference;
  if (isLeftLetter || isRightLetter) return isRightLetter ? -1 : 1;
  // A zero inside of a number is a digit of it, one in front of it is not.
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

/** Long runs overflow in the original, and so the order of their keys is odd. */
function numberOf(run: string): number | bigint {
  return run.length <= exactDigits ? Number(run) : BigInt.asIntN(64, BigInt(run));
}
