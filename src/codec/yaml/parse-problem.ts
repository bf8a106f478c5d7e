import { DecodeError } from '../../meta/decode-error.ts';

/** As in Go, `line` counts from zero but is reported unchanged, and an error on the first line names no line. */
export function parseProblem(line: number, text: string): DecodeError {
  return new DecodeError(`yaml: ${line === 0 ? '' : `line ${line}: `}${text}`);
}
