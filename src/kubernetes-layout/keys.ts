const root = '/registry/';

/** The allocations of node ports, and of service addresses before IPAddress objects. */
const allocations = 'ranges/';

/**
 * Internal keys of servers below `/registry/`: allocations, and the leases of kube-apiserver instances. They are not
 * API objects. This server writes only the allocation of node ports.
 */
const internalPrefixes = [allocations, 'masterleases/', 'peerserverleases/'];

/** Whether the value of the key is a RangeAllocation. */
export function isAllocationKey(key: string): boolean {
  return key.startsWith(allocations, root.length);
}

/** Whether the value of the key is an object of the API. */
export function isObjectKey(key: string): boolean {
  return key.startsWith(root) && !internalPrefixes.some((prefix) => key.startsWith(prefix, root.length));
}

/** Whether the key is that of a type of a group with a domain name, as all custom ones are. */
export function isCustomKey(key: string): boolean {
  return keyGroup(key).includes('.');
}

/** The part of a key that all objects of a type share, such as `services/specs` or `example.com/crontabs`. */
export function keyGroup(key: string): string {
  if (!key.startsWith(root)) return key;
  const first = segmentEnd(key, root.length);
  const name = key.slice(root.length, first);
  return name === 'services' || name.includes('.') ? key.slice(root.length, segmentEnd(key, first + 1)) : name;
}

function segmentEnd(key: string, start: number): number {
  const end = key.indexOf('/', start);
  return end < 0 ? key.length : end;
}
