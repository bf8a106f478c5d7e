import { expect } from 'vitest';
import type { TestApi } from '../wire/api.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/';
const withConditions = [
  definitions,
  '/apis/apiregistration.k8s.io/v1/apiservices/',
  '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/',
];

/**
 * Returns the object when the server no longer changes it in the background. The server decides about the names of
 * definitions, whether the server of an APIService is available, and whether the priority level of a flow schema
 * exists.
 */
export async function settledObject(api: TestApi, item: string) {
  const read = async () => (await api.get(item)).body;
  if (withConditions.some((path) => item.startsWith(path))) {
    await expect.poll(async () => (await read()).status?.conditions).toEqual(expect.any(Array));
  }
  return read();
}

/** Deletes the object and resolves when it no longer exists. A definition is deleted after its objects. */
export async function removeObject(api: TestApi, item: string): Promise<void> {
  const { body } = await api.delete(item);
  if (body.metadata?.finalizers !== undefined) await api.patch(item, { metadata: { finalizers: null } });
  if (item.startsWith(definitions)) await expect.poll(async () => (await api.get(item)).status).toBe(404);
}
