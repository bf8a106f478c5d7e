import { CelError } from '../cel-error.ts';

interface Problem {
  /** Undefined for problems of the expression as a whole. */
  readonly offset: number | undefined;
  readonly text: string;
}

const maxSnippetLength = 16_384;
const maxProblems = 100;

/** Collects the problems of an expression and shows where they are. */
export class SourceProblems {
  readonly source: string;
  readonly #problems: Problem[] = [];

  constructor(source: string) {
    this.source = source;
  }

  get any(): boolean {
    return this.#problems.length > 0;
  }

  add(offset: number | undefined, text: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push({ offset, text });
  }

  /** Throws a `CelError` when there are problems. */
  throwAny(): void {
    if (!this.any) return;
    const sorted = this.#problems.toSorted((left, right) => (left.offset ?? -1) - (right.offset ?? -1));
    throw new CelError(`compilation failed: ${sorted.map((problem) => this.#display(problem)).join('\n')}`, 'compile');
  }

  #display({ offset, text }: Problem): string {
    if (offset === undefined) return `ERROR: <input>:-1:0: ${text}`;
    if (this.source === '') return `ERROR: <input>:1:0: ${text}`;
    const before = this.source.slice(0, offset);
    const start = before.lastIndexOf('\n') + 1;
    const end = this.source.indexOf('\n', start);
    const line = this.source.slice(start, end < 0 ? undefined : end);
    const column = Array.from(before.slice(start)).length;
    const lineNumber = before.split('\n').length;
    const head = `ERROR: <input>:${lineNumber}:${column + 1}: ${text}`;
    if (line.length > maxSnippetLength) return head;
    const characters = Array.from(line);
    const dots = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
    const mark = isWide(characters[column]) ? '＾' : '^';
    return `${head}\n | ${line.replaceAll('\t', ' ')}\n | ${dots.join('')}${mark}`;
  }
}

/** Characters that take more than one byte are marked with wide marks. */
function isWide(character: string | undefined): boolean {
  return character !== undefined && character.codePointAt(0)! > 0x7f;
}
