import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { advertisedAddress } from './advertised-address.ts';

function own(address: string, internal = false): NetworkInterfaceInfo {
  const rest = { address, netmask: '', mac: '', internal, cidr: null };
  return address.includes(':') ? { ...rest, family: 'IPv6', scopeid: 0 } : { ...rest, family: 'IPv4' };
}
const loopback = [own('127.0.0.1', true), own('::1', true)];
const wire = [own('169.254.1.1'), own('192.0.2.7'), own('fe80::1'), own('2001:db8::7')];

it.each([
  ['198.51.100.9', wire, '198.51.100.9'],
  ['2001:db8::9', wire, '2001:db8::9'],
  ['0.0.0.0', wire, '192.0.2.7'],
  ['127.0.0.1', wire, '192.0.2.7'],
  ['localhost', wire, '192.0.2.7'],
  ['::', wire, '2001:db8::7'],
  ['::1', [own('192.0.2.7')], '192.0.2.7'],
  ['0.0.0.0', [own('fe80::1')], undefined],
])('a server on %s', (bindAddress, addresses, advertised) => {
  expect(advertisedAddress(bindAddress, { lo: loopback, eth0: addresses })).toBe(advertised);
});
