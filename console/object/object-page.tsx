import type { ResourceType } from '../api/resource-type.ts';

export function ObjectPage({ name }: { type: ResourceType; namespace: string | undefined; name: string }) {
  return <h1>{name}</h1>;
}
