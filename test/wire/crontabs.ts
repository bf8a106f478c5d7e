import type { TestApi } from './api.ts';
import { define } from './custom-types.ts';

/** The parts of the definition that tests choose. */
export interface CronTabOptions {
  readonly group: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly versions?: readonly Readonly<Record<string, unknown>>[];
}

export const cronTabSchema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { n: { type: 'integer', maximum: 10 }, s: { type: 'string' } } },
      status: { type: 'object', properties: { ok: { type: 'boolean' } } },
    },
  },
};

export const openSchema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

export const cronTabVersion = {
  name: 'v1',
  served: true,
  storage: true,
  schema: cronTabSchema,
  subresources: { status: {} },
};

/** Defines the custom type CronTab in a group and returns the path of its version v1 in the default namespace. */
export async function defineCronTabs(api: TestApi, options: CronTabOptions): Promise<string> {
  const { group, scope = 'Namespaced', versions = [cronTabVersion] } = options;
  const name = `crontabs.${group}`;
  const spec = { group, scope, names: { plural: 'crontabs', kind: 'CronTab' }, versions };
  await define(api, { metadata: { name }, spec });
  return scope === 'Cluster' ? `/apis/${group}/v1/crontabs` : `/apis/${group}/v1/namespaces/default/crontabs`;
}

/** Returns the body of a CronTab. */
export function cronTab(group: string, name: string, fields: object = {}) {
  return { apiVersion: `${group}/v1`, kind: 'CronTab', metadata: { name }, ...fields };
}
