import type { ApiResponse, TestApi } from './api.ts';

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly fieldsV1: FieldTree;
}

interface FieldTree {
  readonly [element: string]: FieldTree;
}

/**
 * Returns the owners as `manager: .path .path` for appliers and `manager*: .path` for others, sorted by name. The
 * original order depends on how many seconds have passed.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
export function ownersOf({ metadata }: { readonly [field: string]: any }): string[] {
  const entries: readonly Entry[] = metadata.managedFields ?? [];
  return entries
    .map(({ manager, operation, subresource, fieldsV1 }) => {
      // In protobuf, the subresource is empty instead of absent.
      const suffix = subresource ? `/${subresource}` : '';
      return `${manager}${suffix}${operation === 'Update' ? '*' : ''}: ${pathsOf(fieldsV1).join(' ')}`;
    })
    .toSorted();
}

function pathsOf(tree: FieldTree, around = ''): string[] {
  return Object.entries(tree).flatMap(([element, inner]) => {
    if (element === '.') return [around];
    const name = element.slice(2);
    const path = `${around}${element.startsWith('f:') ? `.${name}` : `[${name}]`}`;
    return Object.keys(inner).length === 0 ? [path] : pathsOf(inner, path);
  });
}

interface Applying {
  /** Further query parameters, beginning with `&`. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Applies a configuration as this manager. The configuration is JSON or text. */
export function applyAs(
  api: TestApi,
  manager: string,
  configuration: { readonly path: string; readonly body: unknown } & Applying,
): Promise<ApiResponse> {
  const { path, body, query = '', headers } = configuration;
  return api.call('PATCH', `${path}?fieldManager=${manager}${query}`, {
    body,
    headers: { 'content-type': 'application/apply-patch+yaml', ...headers },
  });
}
