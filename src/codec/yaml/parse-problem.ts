import { DecodeError } from '../../meta/decode-error.ts';

/** Complaints about what stands where name the line before it, and none on the first. */
export function parseProblem(line: number, text: string): DecodeError {
  return new DecodeError(`yaml: ${line === 0 ? '' : `line ${line}: `}${text}`);
}
