import { describe, expect, it } from 'vitest';
import { parseEtcdFlags } from './etcd-flags.ts';

describe('the flags of etcd', () => {
  it('are those that envtest passes', () => {
    const args = [
      '--advertise-client-urls=http://127.0.0.1:1',
      '--data-dir=/d',
      '--listen-client-urls=http://127.0.0.1:1',
      '--listen-peer-urls=http://localhost:0',
      '--unsafe-no-fsync=true',
    ];
    expect(parseEtcdFlags(args)).toEqual({ dataDir: '/d', clientUrls: [new URL('http://127.0.0.1:1')] });
    expect(parseEtcdFlags(['--unsafe-no-fsync', '--listen-client-urls', 'http://a:1,http://[::1]:2'])).toEqual({
      dataDir: 'default.etcd',
      clientUrls: [new URL('http://a:1'), new URL('http://[::1]:2')],
    });
  });

  it.each([
    ['--listen-client-urls=https://127.0.0.1:1', '--listen-client-urls must have URLs such as http://127.0.0.1:2379'],
    ['--listen-client-urls=x', '--listen-client-urls must have URLs such as http://127.0.0.1:2379: x'],
    ['--snapshot-count=1', "Unknown option '--snapshot-count'"],
    ['--data-dir', "Option '--data-dir <value>' argument missing"],
    ['x', "Unexpected argument 'x'"],
  ])('refuse %s', (arg, message) => {
    expect(() => parseEtcdFlags([arg])).toThrow(message);
  });
});
