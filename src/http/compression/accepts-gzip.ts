/** Whether an Accept-Encoding header allows gzip: the name in any case, with any weight but zero. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding === 'gzip') return acceptEncoding !== undefined;
  return acceptEncoding.split(',').some((entry) => {
    const [coding = '', ...settings] = entry.split(';').map((segment) => segment.trim().toLowerCase());
    return coding === 'gzip' && !settings.some((setting) => /^q\s*=\s*0(\.0*)?$/.test(setting));
  });
}

/** Whether an Accept-Encoding header contains exactly `gzip`, which is what kube-apiserver looks for. */
export function namesGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding?.split(',').some((entry) => entry.trim() === 'gzip') ?? false;
}
