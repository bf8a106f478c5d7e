import { goQuote } from '../../meta/go-quote.ts';

/** One interval of a list of job indexes such as `1,3-5,7`. */
interface IndexInterval {
  readonly first: number;
  readonly last: number;
}

const integerSyntax = /^[+-]?[0-9]+$/;

/** Its message becomes the detail of a field error. */
class IndexSyntaxError extends Error {}

/** Counts the listed indexes, which must be sorted and below `completions`. Throws an `IndexSyntaxError`. */
export function countIndexes(text: string, completions: number): number {
  if (text === '') return 0;
  let previous: number | undefined;
  let total = 0;
  for (const fragment of text.split(',')) {
    const { first, last } = parseInterval(fragment, completions);
    if (previous !== undefined && previous >= first) throw disorder(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

/** Returns the syntax error of the list, or undefined. */
export function indexProblem(text: string, completions: number): string | undefined {
  try {
    countIndexes(text, completions);
    return undefined;
  } catch (error) {
    if (error instanceof IndexSyntaxError) return error.message;
    throw error;
  }
}

/** Returns the first index that is in both lists. Skips invalid intervals, which are reported elsewhere. */
export function commonIndex(left: string, right: string, completions: number): number | undefined {
  const others = readableIntervals(right, completions);
  for (const { first, last } of readableIntervals(left, completions)) {
    for (const other of others) if (first <= other.last && other.first <= last) return Math.max(first, other.first);
  }
  return undefined;
}

function readableIntervals(text: string, completions: number): IndexInterval[] {
  if (text === '') return [];
  return text.split(',').flatMap((fragment) => {
    try {
      return [parseInterval(fragment, completions)];
    } catch (error) {
      if (error instanceof IndexSyntaxError) return [];
      throw error;
    }
  });
}

function parseInterval(fragment: string, completions: number): IndexInterval {
  const limits = fragment.split('-');
  if (limits.length > 2) {
    const rule = "the requirement that an index interval can have at most two parts separated by '-'";
    throw new IndexSyntaxError(`the fragment ${goQuote(fragment)} violates ${rule}`);
  }
  const first = parseIndex(limits[0]!, completions);
  if (limits.length === 1) return { first, last: first };
  const last = parseIndex(limits[1]!, completions);
  if (first >= last) throw disorder(first, last);
  return { first, last };
}

function parseIndex(text: string, completions: number): number {
  if (!integerSyntax.test(text)) {
    throw new IndexSyntaxError(`cannot convert string to integer for index: ${goQuote(text)}`);
  }
  const index = Number(text);
  if (index >= completions) throw new IndexSyntaxError(`too large index: ${goQuote(text)}`);
  return index;
}

function disorder(previous: number, current: number): IndexSyntaxError {
  return new IndexSyntaxError(`non-increasing order, previous: ${previous}, current: ${current}`);
}
