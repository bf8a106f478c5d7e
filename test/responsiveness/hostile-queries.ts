import type { HostileRequest } from './hostile-request.ts';
import { many } from './many.ts';

/** The collection with many objects that the server of these tests has from the start. */
export const crowd = '/api/v1/namespaces/crowd/configmaps';

/** A query may be as long as all headers together. */
const count = 4_000;

function gets(paths: Record<string, string>, headers: Record<string, string> = {}): HostileRequest[] {
  return Object.entries(paths).map(([about, path]) => ({ about, method: 'GET', path, headers }));
}

const selector = (name: string, text: string): string => `${crowd}?limit=500&${name}=${encodeURIComponent(text)}`;
const all = (name: string, text: string): string => `${crowd}?${name}=${encodeURIComponent(text)}`;

export const hostileQueries: readonly HostileRequest[] = [
  ...gets({
    'selector: many requirements': selector(
      'labelSelector',
      many((i) => `!k${i}`, { count }),
    ),
    'selector: many values': selector('labelSelector', `app notin (${many((i) => `v${i}`, { count })})`),
    'selector: one requirement again and again': selector(
      'labelSelector',
      many(() => 'app!=x', { count }),
    ),
    'selector: numbers': selector(
      'labelSelector',
      many((i) => `n>${i}`, { count }),
    ),
    'selector: requirements, as many as are read': all(
      'labelSelector',
      many((i) => `!k${i}`, { count: 1_000 }),
    ),
    'selector: numbers, as many as are read': all(
      'labelSelector',
      many(() => 'n>0', { count: 1_000 }),
    ),
    'selector: without match': all('labelSelector', 'app=nothing'),
    'selector: fields without match': all(
      'fieldSelector',
      many((i) => `metadata.name!=n${i}`, { count: 1_000 }),
    ),
    'selector: field without match': '/api/v1/configmaps?fieldSelector=metadata.name%3Dx',
    'selector: everything': all('labelSelector', 'app'),
    'selector: backslashes': all('fieldSelector', `metadata.name!=${'\\\\'.repeat(8_000)}`),
    'continue: a long token': `${crowd}?limit=1&continue=${'A'.repeat(50_000)}`,
    'path: long': `/api/v1/namespaces/${'a'.repeat(50_000)}/pods`,
    'path: many parts': `/api/v1${'/a'.repeat(25_000)}`,
    'query: many parameters': `${crowd}?limit=1&${many((i) => `p${i}=1`, { separator: '&', count })}`,
    'list: all': crowd,
    'list: pretty': `${crowd}?pretty=true`,
  }),
  ...gets({ 'list: all as YAML': crowd }, { accept: 'application/yaml' }),
  ...gets({ 'list: all as protobuf': crowd }, { accept: 'application/vnd.kubernetes.protobuf' }),
  ...gets({ 'list: all as table': crowd }, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  ...gets(
    { 'list: all as metadata': crowd },
    { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
  ),
  ...gets({ 'watch: selector without match': `${crowd}?watch=1&timeoutSeconds=1&labelSelector=app%3Dnothing` }),
  ...gets({ 'watch: everything': `${crowd}?watch=1&timeoutSeconds=1` }),
  ...gets(
    { 'header: accept': `${crowd}?limit=1` },
    { accept: many((i) => `application/x${i};q=0.5`, { count: 2_000 }) },
  ),
  ...gets({ 'header: cookie': `${crowd}?limit=1` }, { cookie: many((i) => `c${i}=1`, { separator: '; ', count }) }),
  ...gets({ 'header: token': `${crowd}?limit=1` }, { authorization: `Bearer ${'a.'.repeat(25_000)}` }),
  ...gets(
    { 'header: many groups': `${crowd}?limit=1` },
    { 'impersonate-user': 'u', 'impersonate-group': many((i) => `g${i}`, { count }) },
  ),
  { about: 'delete: many without match', method: 'DELETE', path: all('labelSelector', 'app=nothing') },
  { about: 'delete: many', method: 'DELETE', path: crowd },
];
