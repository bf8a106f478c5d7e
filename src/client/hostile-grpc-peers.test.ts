import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openKmsService } from '../encryption/kms/kms-service.ts';
import { Channel } from '../storage/etcd/channel.ts';
import { parseEndpoint } from '../storage/etcd/endpoint.ts';
import type { Span } from '../tracing/span.ts';
import { openSpanExporter } from '../tracing/span-exporter.ts';
import { frame, http2Peers, ok, say, startHttp2Peer } from './hostile-http2-peer.conformance.ts';

const timeoutMs = 150;
const loopback = { host: '127.0.0.1', port: 0 };
const message = (length: number, isCompressed = false): Buffer => {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt8(Number(isCompressed), 0);
  bytes.writeUInt32BE(length, 1);
  return bytes;
};

const peers = [
  ...http2Peers,
  { name: 'sends half a message', peer: say(ok, frame(0, 1, 1, message(9))) },
  { name: 'sends a message and goes on', peer: say(ok, frame(0, 0, 1, message(1))) },
  { name: 'sends a message without a status', peer: say(ok, frame(0, 1, 1, message(1))) },
  { name: 'compresses without being asked', peer: say(ok, frame(0, 1, 1, message(1, true))) },
  { name: 'announces a message of 4 GiB', peer: say(ok, frame(0, 0, 1, message(0xffffffff))) },
];

const span: Span = {
  traceId: Buffer.alloc(16, 1),
  spanId: Buffer.alloc(8, 1),
  parentId: undefined,
  traceState: '',
  name: 'GET',
  isServer: true,
  startMs: 0,
  endMs: 1,
  attributes: {},
  isError: false,
  link: undefined,
};

interface Client {
  readonly listen: () => Promise<ListenOptions>;
  /** Makes one call and closes the client. Rejects if the call fails. */
  readonly call: (address: AddressInfo | string) => Promise<unknown>;
  /** The library grpc-js may wait for the end of a request before it closes a connection. */
  readonly closesAtOnce: boolean;
}

const portOf = (address: AddressInfo | string): number => (address as AddressInfo).port;

const clients: Readonly<Record<string, Client>> = {
  'a key management service': {
    closesAtOnce: false,
    listen: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'keelson-kms-'));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      return { path: join(directory, 'socket') };
    },
    call: async (address) => {
      const service = await openKmsService({ type: 'kms', name: 'kms', socket: address as string, timeoutMs });
      return service.status().finally(() => service.close());
    },
  },
  'a member of etcd': {
    closesAtOnce: true,
    listen: async () => loopback,
    call: async (address) => {
      const endpoint = parseEndpoint(`http://127.0.0.1:${portOf(address)}`);
      const channel = new Channel({ endpoint, tls: async () => ({}) });
      try {
        await channel.connect(timeoutMs);
        await new Promise<void>((resolve, reject) => {
          const onDone = (error: Error | undefined): void => (error === undefined ? resolve() : reject(error));
          channel.call({ method: '/a/b', request: [Buffer.from('q')], timeoutMs, onDone });
        });
      } finally {
        channel.close();
      }
    },
  },
  'a collector of traces': {
    closesAtOnce: false,
    listen: async () => loopback,
    call: async (address) => {
      const errors: Error[] = [];
      const onError = (error: Error): void => void errors.push(error);
      const endpoint = `127.0.0.1:${portOf(address)}`;
      const exporter = await openSpanExporter({ endpoint, resource: {}, timeoutMs, onError });
      exporter.add([span]);
      await exporter.close();
      if (errors.length > 0) throw errors[0];
    },
  },
};

describe.each(Object.entries(clients))('a call of %s fails if the server', (_name, client) => {
  it.each(peers)('$name', async (peer) => {
    const { server, open } = await startHttp2Peer(peer, await client.listen());
    await expect(client.call(server.address()!)).rejects.toThrow(/./);
    if (client.closesAtOnce) await vi.waitFor(() => expect(open()).toBe(0));
  });
});
