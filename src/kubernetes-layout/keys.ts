const root = '/registry/';

/**
 * What kube-apiserver keeps for itself below `/registry/`: the allocation of service addresses and node ports, and the
 * leases of its instances. They are no objects of the API. This server leaves them alone and keeps none of its own: it
 * derives allocations from the services and their IPAddress objects.
 */
const internalPrefixes = ['ranges/', 'masterleases/', 'peerserverleases/'];

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
  const [first = '', second = ''] = key.startsWith(root) ? key.slice(root.length).split('/', 2) : [key];
  return first === 'services' || first.includes('.') ? `${first}/${second}` : first;
}
