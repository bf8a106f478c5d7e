import { expect, it } from 'vitest';
import { isLocalRequest } from './is-local-request.ts';

const request = (remoteAddress: string, headers: Readonly<Record<string, string>>) => ({
  connection: { remoteAddress, certificate: () => undefined, state: {} } as never,
  header: (name: string) => headers[name],
  rawHeaders: Object.entries(headers).flat(),
});

it.each([
  ['127.0.0.1', { host: '127.0.0.1:6443' }, true],
  ['127.0.0.1', { ':authority': 'localhost:6443' }, true],
  ['127.0.0.53', { host: 'localhost' }, true],
  ['::1', { host: '[::1]:6443' }, true],
  ['::ffff:127.0.0.1', { host: '127.0.0.1' }, true],
  // Requests from other machines are not local, for any `Host`.
  ['192.0.2.7', { host: '127.0.0.1:6443' }, false],
  ['::ffff:192.0.2.7', { host: 'localhost' }, false],
  ['fe80::1', { host: '[::1]' }, false],
  ['', { host: 'localhost' }, false],
  // A name that an attacker has resolved to this machine.
  ['127.0.0.1', { host: 'attacker.example:6443' }, false],
  ['127.0.0.1', { host: 'localhost.attacker.example' }, false],
  ['127.0.0.1', { host: '127.0.0.1.attacker.example' }, false],
  ['127.0.0.1', { host: 'localhost@attacker.example' }, false],
  ['127.0.0.1', { host: 'kubernetes.default.svc' }, false],
  ['127.0.0.1', { host: '192.0.2.1' }, false],
  ['127.0.0.1', { host: '' }, false],
  ['127.0.0.1', {}, false],
  // A proxy on this machine.
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '192.0.2.7' }, false],
  ['127.0.0.1', { host: 'localhost', forwarded: 'for=192.0.2.7' }, false],
  ['127.0.0.1', { host: 'localhost', 'cf-connecting-ip': '127.0.0.1' }, false],
])('from %s with %j: %s', (address, headers, expected) => {
  expect(isLocalRequest(request(address, headers))).toBe(expected);
});
