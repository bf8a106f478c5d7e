import { expect, test } from 'vitest';
import { parseEndpoint } from './endpoint.ts';

test.each([
  ['http://127.0.0.1:2379', { target: 'dns:127.0.0.1:2379', tls: false }],
  ['http://etcd.example:2379/', { target: 'dns:etcd.example:2379', tls: false }],
  ['https://etcd.example:2379', { target: 'dns:etcd.example:2379', tls: true }],
  ['https://10.0.0.1', { target: 'dns:10.0.0.1:443', tls: true, ip: '10.0.0.1' }],
  ['https://[::1]:2379', { target: 'dns:[::1]:2379', tls: true, ip: '::1' }],
  ['http://[::1]:2379', { target: 'dns:[::1]:2379', tls: false }],
  ['unix:///run/etcd.sock', { target: 'unix:/run/etcd.sock', tls: false }],
  ['unixs:///run/etcd.sock', { target: 'unix:/run/etcd.sock', tls: true }],
])('%s', (text, endpoint) => {
  expect(parseEndpoint(text)).toEqual(endpoint);
});

test.each([
  '',
  '127.0.0.1:2379',
  'ftp://a:1',
  'http://',
  'http://a:1/path',
  'http://a:b',
  'https://user@a:1',
  'unix://',
])('%j is refused', (text) => {
  expect(() => parseEndpoint(text)).toThrow(RangeError);
});
