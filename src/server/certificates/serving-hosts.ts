import { hostname } from 'node:os';

const always = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
/** Addresses to listen on, but nobody's to call. */
const unspecified = ['0.0.0.0', '::', ''];

export interface ServingHostsOptions {
  readonly bindAddress?: string;
  readonly extraHosts?: readonly string[];
}

/** The names and addresses under which the server may be called, without duplicates. */
export function servingHosts({ bindAddress = '', extraHosts = [] }: ServingHostsOptions = {}): string[] {
  const hosts = [...always, hostname(), bindAddress, ...extraHosts].map((host) => host.toLowerCase());
  return [...new Set(hosts)].filter((host) => !unspecified.includes(host) && isAscii(host));
}

/** A machine may have a name that no certificate can hold. */
function isAscii(host: string): boolean {
  return /^[a-z0-9.:*_-]+$/.test(host);
}
