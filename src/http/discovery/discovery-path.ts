/** The document that a discovery path addresses. */
export type DiscoveryPath =
  | { readonly document: 'root' | 'version' | 'coreVersions' | 'groups' }
  | { readonly document: 'group'; readonly group: string }
  | { readonly document: 'resources'; readonly group: string; readonly version: string };

const fixedPaths: ReadonlyMap<string, DiscoveryPath> = new Map([
  ['/', { document: 'root' }],
  ['/index.html', { document: 'root' }],
  ['/version', { document: 'version' }],
  ['/version/', { document: 'version' }],
  ['/api', { document: 'coreVersions' }],
  ['/api/', { document: 'coreVersions' }],
  ['/apis', { document: 'groups' }],
  ['/apis/', { document: 'groups' }],
]);

/** Undefined for a path outside discovery, such as that of a resource. */
export function parseDiscoveryPath(path: string): DiscoveryPath | undefined {
  const fixed = fixedPaths.get(path);
  if (fixed !== undefined) return fixed;
  if (path.startsWith('/api/')) {
    const end = segmentEnd(path, '/api/'.length);
    return isLast(path, end) ? { document: 'resources', group: '', version: path.slice(5, end) } : undefined;
  }
  if (!path.startsWith('/apis/')) return undefined;
  const groupEnd = segmentEnd(path, '/apis/'.length);
  const group = () => path.slice('/apis/'.length, groupEnd);
  if (isLast(path, groupEnd)) return { document: 'group', group: group() };
  const versionEnd = segmentEnd(path, groupEnd + 1);
  if (!isLast(path, versionEnd)) return undefined;
  return { document: 'resources', group: group(), version: path.slice(groupEnd + 1, versionEnd) };
}

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf('/', start);
  return slash < 0 ? path.length : slash;
}

/** A trailing slash adds no segment. */
function isLast(path: string, end: number): boolean {
  return end >= path.length - 1;
}
