export type AddressFamily = 'IPv4' | 'IPv6';

export function otherFamily(family: string): AddressFamily {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}
