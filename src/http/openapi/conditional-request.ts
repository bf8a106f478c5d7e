/** Whether an If-None-Match header names the tag; weak tags count, as RFC 9110 has it for this header. */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
