/** Whether an If-None-Match header contains the tag. Weak tags match too, as RFC 9110 specifies for this header. */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}
