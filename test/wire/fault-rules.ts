import { expect } from 'vitest';
import { type Event, TestApi, type TestWatch } from './api.ts';

/** The path of the API for faults. */
export const root = '/keelson/faults';

export function startFaultServer(): Promise<TestApi> {
  return TestApi.start({ enableTestApi: true });
}

/** Removes all rules and clears the log of their effects. */
export async function clear(api: TestApi): Promise<void> {
  await api.delete(root);
  await api.delete(`${root}/log`);
}

let namespaces = 0;

/** Creates a namespace with one config map that no other test uses. Returns the path of its config maps. */
export async function place(api: TestApi): Promise<{ namespace: string; path: string }> {
  const namespace = `faults-${++namespaces}`;
  return { namespace, path: await api.configMaps(namespace, { a: {} }) };
}

export async function add(api: TestApi, rule: object): Promise<{ id: string }> {
  const { status, body } = await api.post(root, rule);
  expect([status, body]).toEqual([201, expect.objectContaining(rule)]);
  return body;
}

export async function log(api: TestApi): Promise<{ rule: string; action: string; match: number; request?: object }[]> {
  return (await api.get(`${root}/log`)).body.faults;
}

/** Returns the types and names of the next events. */
export async function names(watch: TestWatch, count: number): Promise<string[]> {
  const seen: Event[] = [];
  while (seen.length < count) seen.push((await watch.next())!);
  return seen.map((event) => `${event.type} ${event.object.metadata?.name ?? event.object.reason}`);
}

export const configMap = (name: string, data?: object) => ({ metadata: { name }, data });
