import type { ApiObject } from './api-object.ts';

/** Some names are prefixes of others. The next character sorts before or after a slash. */
export const namespaces = ['exact', 'exact-1', 'exact0'];
export const names = [
  ...['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9'],
  ...['n1-a', 'n1.a', 'n10', 'n100', 'n3-a', 'n3.a', 'n30', 'a', 'z', 'z-9'],
];
export const tiers = ['web', 'db', 'cache'];
export const zones = ['a', 'b'];
export const phases = ['Pending', 'Running', 'Succeeded'];
export const nodes = ['node-1', 'node-2'];

export type ResourceType = 'configmaps' | 'pods';

/** A part of the objects of one type, as a query for the server and as a function that is independent of the server. */
export interface Selection {
  readonly type: ResourceType;
  /** The path of the collection. */
  readonly path: string;
  /** The selectors. Without them, the server reports the number of remaining items. */
  readonly query: Readonly<Record<string, string>>;
  includes(object: ApiObject): boolean;
}

interface Selector {
  readonly query: Readonly<Record<string, string>>;
  matches(object: ApiObject): boolean;
}

const label = (object: ApiObject, name: string): string | undefined => object.metadata.labels?.[name];

const everything: Selector = { query: {}, matches: () => true };

const selectors: readonly Selector[] = [
  everything,
  { query: { labelSelector: 'tier=web' }, matches: (object) => label(object, 'tier') === 'web' },
  { query: { labelSelector: 'tier!=web' }, matches: (object) => label(object, 'tier') !== 'web' },
  {
    query: { labelSelector: 'tier in (web,db)' },
    matches: (object) => ['web', 'db'].includes(label(object, 'tier') ?? ''),
  },
  {
    query: { labelSelector: 'tier notin (cache),zone' },
    matches: (object) => label(object, 'tier') !== 'cache' && label(object, 'zone') !== undefined,
  },
  { query: { labelSelector: '!zone' }, matches: (object) => label(object, 'zone') === undefined },
  { query: { fieldSelector: 'metadata.name=n3' }, matches: ({ metadata }) => metadata.name === 'n3' },
  { query: { fieldSelector: 'metadata.name!=n3' }, matches: ({ metadata }) => metadata.name !== 'n3' },
  {
    query: { fieldSelector: 'metadata.namespace=exact-1', labelSelector: 'zone=a' },
    matches: (object) => object.metadata.namespace === 'exact-1' && label(object, 'zone') === 'a',
  },
];

const podSelectors: readonly Selector[] = [
  { query: { fieldSelector: 'status.phase=Running' }, matches: ({ status }) => status?.phase === 'Running' },
  { query: { fieldSelector: 'status.phase!=Running' }, matches: ({ status }) => status?.phase !== 'Running' },
  { query: { fieldSelector: 'spec.nodeName=node-1' }, matches: ({ spec }) => spec?.nodeName === 'node-1' },
  { query: { fieldSelector: 'spec.nodeName=' }, matches: ({ spec }) => (spec?.nodeName ?? '') === '' },
  {
    query: { fieldSelector: 'spec.nodeName=node-2,status.phase!=Pending', labelSelector: 'tier' },
    matches: (object) =>
      object.spec?.nodeName === 'node-2' && object.status?.phase !== 'Pending' && label(object, 'tier') !== undefined,
  },
];

export function wholeType(type: ResourceType): Selection {
  return selection({ type, namespace: undefined, selector: everything });
}

export function wholeNamespace(type: ResourceType, namespace: string): Selection {
  return selection({ type, namespace, selector: everything });
}

/** The fields that a server may index come first, because the first choices are used twice. */
const choices: readonly Omit<SelectionCriteria, 'namespace'>[] = [
  ...podSelectors.map((selector) => ({ type: 'pods' as const, selector })),
  ...selectors.map((selector) => ({ type: 'configmaps' as const, selector })),
  ...selectors.map((selector) => ({ type: 'pods' as const, selector })),
];

/**
 * Returns the choices in turn, so that a few dozen selections have every selector. The second round swaps one namespace
 * and all namespaces.
 */
export function selectionOf(index: number, random: (limit: number) => number): Selection {
  const within = (index + Math.floor(index / choices.length) * (choices.length + 1)) % 2 === 0;
  const namespace = within ? namespaces[random(namespaces.length)]! : undefined;
  return selection({ ...choices[index % choices.length]!, namespace });
}

interface SelectionCriteria {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly selector: Selector;
}

function selection({ type, namespace, selector }: SelectionCriteria): Selection {
  return {
    type,
    path: namespace === undefined ? `/api/v1/${type}` : `/api/v1/namespaces/${namespace}/${type}`,
    query: selector.query,
    includes: (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) && selector.matches(object),
  };
}

export function urlOf({ path, query }: Selection, parameters: Readonly<Record<string, string>>): string {
  const all = new URLSearchParams({ ...query, ...parameters }).toString();
  return all === '' ? path : `${path}?${all}`;
}
