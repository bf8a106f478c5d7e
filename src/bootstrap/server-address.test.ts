import { expect, it } from 'vitest';
import { parseServerAddress, serverAddressText } from './server-address.ts';

it.each([
  ['192.0.2.1:6443', { ip: '192.0.2.1', port: 6443 }],
  ['[2001:db8::1]:443', { ip: '2001:db8::1', port: 443 }],
])('%s is an address', (text, address) => {
  expect(parseServerAddress(text)).toEqual(address);
  expect(serverAddressText(address)).toBe(text);
});

it.each(['', '192.0.2.1', 'host:6443', '192.0.2.300:1', '[2001:db8::1]', ':6443'])('%j is none', (text) => {
  expect(parseServerAddress(text)).toBeUndefined();
});
