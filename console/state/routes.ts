import type { TypeName } from '../api/resource-type.ts';
import { hrefOf } from './router.ts';

/** Represents the core group, and the namespace of cluster-scoped objects, in a URL. */
const none = '-';

const group = (type: TypeName) => (type.group === '' ? none : type.group);

export const routes = {
  home: () => hrefOf([]),
  table: (type: TypeName, query: Readonly<Record<string, string | undefined>> = {}) =>
    hrefOf(['resources', group(type), type.version, type.resource], query),
  object: (
    type: TypeName,
    at: { namespace?: string | undefined; name: string },
    query: Readonly<Record<string, string | undefined>> = {},
  ) => hrefOf(['objects', group(type), type.version, type.resource, at.namespace || none, at.name], query),
  create: (type?: TypeName, namespace?: string) =>
    hrefOf(['create', ...(type ? [group(type), type.version, type.resource] : [])], { ns: namespace }),
  page: (name: string, query: Readonly<Record<string, string | undefined>> = {}) => hrefOf([name], query),
};

export function parseType([groupSegment = none, version = '', resource = '']: readonly string[]): TypeName {
  return { group: groupSegment === none ? '' : groupSegment, version, resource };
}

export function parseNamespace(segment: string | undefined): string | undefined {
  return segment === none ? undefined : segment;
}
