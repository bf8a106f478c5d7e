import { expect, test } from 'vitest';
import { parseEndpoint } from './endpoint.ts';

test.each([
  ['http://127.0.0.1:2379', { target: '127.0.0.1:2379', tls: false, address: { host: '127.0.0.1', port: 2379 } }],
  ['http://etcd.example/', { target: 'etcd.example:80', tls: false, address: { host: 'etcd.example', port: 80 } }],
  [
    'https://etcd.example:2379',
    { target: 'etcd.example:2379', tls: true, address: { host: 'etcd.example', port: 2379 }, name: 'etcd.example' },
  ],
  ['https://10.0.0.1', { target: '10.0.0.1:443', tls: true, address: { host: '10.0.0.1', port: 443 } }],
  ['https://[::1]:2379', { target: '[::1]:2379', tls: true, address: { host: '::1', port: 2379 } }],
  ['http://[::1]:2379', { target: '[::1]:2379', tls: false, address: { host: '::1', port: 2379 } }],
  ['unix:///run/etcd.sock', { target: 'unix:/run/etcd.sock', tls: false, address: { path: '/run/etcd.sock' } }],
  [
    'unixs:///run/etcd.sock',
    { target: 'unix:/run/etcd.sock', tls: true, address: { path: '/run/etcd.sock' }, name: 'localhost' },
  ],
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
