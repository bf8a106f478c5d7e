import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { addressFamily } from './address-family.ts';

it.each([
  '127.0.0.1',
  '10.96.0.1',
  '::',
  '::1',
  '2001:DB8::1',
  'fe80::1%eth0',
  '::ffff:192.0.2.1',
  'localhost',
  'kubernetes.default.svc',
  'face',
  '127.0.0',
  'host:6443',
  '',
])('is that of Node.js: %j', (host) => {
  expect(addressFamily(host)).toBe(isIP(host));
});
