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
/** Addresses that a server can bind but no client can call. */
const unspecified = ['0.0.0.0', '::', ''];

export interface ServingHostsOptions {
  readonly bindAddress?: string;
  readonly extraHosts?: readonly string[];
}

/** The names and addresses of the serving certificate, without duplicates. */
export function servingHosts({ bindAddress = '', extraHosts = [] }: ServingHostsOptions = {}): string[] {
  const hosts = [...always, hostname(), bindAddress, ...extraHosts].map((host) => host.toLowerCase());
  return [...new Set(hosts)].filter((host) => !unspecified.includes(host) && isAscii(host));
}

/** Certificates cannot contain some host names. */
function isAscii(host: string): boolean {
  return /^[a-z0-9.:*_-]+$/.test(host);
}
