import type { RequestContext } from '../request-context.ts';
import type { RequestInfo, ResourceTarget } from '../request-info.ts';

/** The values of the label `verb`. */
export const verbLabels = [
  'GET',
  'LIST',
  'WATCH',
  'POST',
  'PUT',
  'PATCH',
  'APPLY',
  'DELETE',
  'DELETECOLLECTION',
  'CONNECT',
  'other',
] as const;
export type VerbLabel = (typeof verbLabels)[number];

export const scopeLabels = ['resource', 'namespace', 'cluster'] as const;
export type ScopeLabel = (typeof scopeLabels)[number];

const labelsOfVerbs: Readonly<Record<string, VerbLabel>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

const connections = new Set(['attach', 'exec', 'portforward', 'proxy']);

export function verbLabel({ info: { verb }, exchange }: RequestContext, { subresource }: ResourceTarget): VerbLabel {
  if (subresource !== '' && connections.has(subresource)) return 'CONNECT';
  if (verb === 'patch' && exchange.header('content-type')?.startsWith('application/apply-patch')) return 'APPLY';
  return labelsOfVerbs[verb] ?? 'other';
}

/** The scope of a request: one object, the objects of a namespace, or all objects. */
export function scopeLabel({ verb }: RequestInfo, { name, namespace }: ResourceTarget): ScopeLabel {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}

/** Whether the request is a dry run. The handler rejects values other than `All`. */
export function isDryRun({ exchange, query }: Pick<RequestContext, 'exchange' | 'query'>): boolean {
  return exchange.query.includes('dryRun=') && query.get('dryRun') === 'All';
}

/** Whether the request may change something. */
export function isMutating({ verb }: RequestInfo): boolean {
  return verb !== 'get' && verb !== 'list' && verb !== 'watch' && verb !== 'head';
}
