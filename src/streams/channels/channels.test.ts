import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Channels, channelProtocols } from './channels.ts';

/** Channels 0 and 4 of the server receive the data of the client. */
async function connected(protocol: string) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => server.close());
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const [webSocket] = (await once(server, 'connection')) as [WebSocket & { _socket: Duplex }];
  const options = { ...channelProtocols.get(protocol)!, inputs: [0, 4], connection: webSocket._socket };
  await once(client, 'open');
  return { client, webSocket, channels: new Channels(webSocket, options) };
}

describe.each([...channelProtocols.keys()])('channels with %s', (protocol) => {
  const { isBase64 } = channelProtocols.get(protocol)!;
  const message = (channel: number, content: string): Buffer | string =>
    isBase64 ? `${channel}${Buffer.from(content).toString('base64')}` : Buffer.from([channel, ...Buffer.from(content)]);

  it('carry input to its channel', async () => {
    const { client, channels } = await connected(protocol);
    for (const [channel, content] of [
      [0, 'a'],
      [4, 'size'],
      [0, ''],
      [9, 'nobody'],
      [0, 'b'],
    ] as const) {
      client.send(message(channel, content));
    }
    client.send('');
    const read = async (channel: number, length: number): Promise<string> => {
      await vi.waitUntil(() => channels.input(channel).readableLength >= length, { interval: 1 });
      return String(channels.input(channel).read());
    };
    expect([await read(0, 2), await read(4, 4)]).toEqual(['ab', 'size']);
    client.close();
    await once(channels.input(0), 'close');
    expect(channels.input(0).readableEnded).toBe(false);
  });

  it('carry output with its channel', async () => {
    const { client, channels } = await connected(protocol);
    channels.output(1).write('out');
    const [received] = (await once(client, 'message')) as [Buffer];
    expect(String(received)).toBe(String(message(1, 'out')));
  });
});

it('end an input by a close signal', async () => {
  const { client, channels } = await connected('v5.channel.k8s.io');
  client.send(Buffer.from('\0last'));
  for (const signal of [[255, 0], [255, 9], [255]]) client.send(Buffer.from(signal));
  client.send(Buffer.from('\0too late'));
  expect(await text(channels.input(0))).toBe('last');
});

it('have no close signal before version 5', async () => {
  const { client, channels } = await connected('v4.channel.k8s.io');
  client.send(Buffer.from([255, 0]));
  client.send(Buffer.from('\0more'));
  expect(String((await once(channels.input(0), 'data'))[0])).toBe('more');
});

it('wait for a reader of the input', async () => {
  const { client, channels, webSocket } = await connected('v5.channel.k8s.io');
  const piece = Buffer.alloc(100_001);
  for (let i = 0; i < 200; i++) client.send(piece);
  await vi.waitUntil(() => webSocket.isPaused, { interval: 1 });
  const input = channels.input(0);
  expect(input.readableLength).toBeLessThan(1_000_000);
  let size = 0;
  input.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  await vi.waitUntil(() => size === 200 * 100_000, { interval: 5 });
});

it('notice the end of the client when the input is dropped', async () => {
  const { client, channels, webSocket } = await connected('v5.channel.k8s.io');
  for (let i = 0; i < 20; i++) client.send(Buffer.alloc(100_001));
  await vi.waitUntil(() => webSocket.isPaused, { interval: 1 });
  const closed = once(webSocket, 'close');
  client.close();
  channels.dropInput();
  await closed;
  expect(webSocket.isPaused).toBe(false);
});

it('wait for the client to read the output', async () => {
  const { client, channels, webSocket } = await connected('v5.channel.k8s.io');
  client.pause();
  const output = channels.output(1);
  const chunk = Buffer.alloc(64 * 1024);
  let written = 0;
  for (; written < 100_000_000 && output.write(chunk); written += chunk.length) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(50_000_000);
  expect(webSocket.bufferedAmount).toBeLessThan(1_000_000);
  client.terminate();
  // No write waits forever.
  output.end();
  await once(output, 'finish');
});
