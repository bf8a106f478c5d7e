import type { TestApi } from './api.ts';
import { applyAs } from './field-owners.ts';

export const configMaps = '/api/v1/namespaces/default/configmaps';
const typed = { apiVersion: 'v1', kind: 'ConfigMap' };

let count = 0;
export const freshName = (): string => `applied-${++count}`;

export const configMap = (name: string, data?: unknown, metadata: object = {}) => ({
  ...typed,
  metadata: { name, ...metadata },
  ...(data !== undefined && { data }),
});

export const applyConfigMap = (api: TestApi, name: string, { body, query = '' }: { body: unknown; query?: string }) =>
  applyAs(api, 'm', { path: `${configMaps}/${name}`, body, query });

/** Creates a config map by an apply of the manager `m`. */
export async function appliedConfigMap(api: TestApi) {
  const name = freshName();
  const { body } = await applyConfigMap(api, name, { body: configMap(name, { a: '1' }) });
  return { name, body };
}
