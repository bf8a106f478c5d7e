/** Whether a client takes gzip. As kube-apiserver reads it: the bare word in the list, and no weights. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding === 'gzip') return acceptEncoding !== undefined;
  return acceptEncoding.split(',').some((token) => token.trim() === 'gzip');
}
