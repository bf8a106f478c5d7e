import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange.ts';
import { opening } from '../raw-frames.conformance.ts';
import { RawHttp2Client } from '../raw-http2-client.conformance.ts';
import { connectRaw, listen, sendHttp2 } from '../test-listener.conformance.ts';
import { frames } from './frames.conformance.ts';
import { messages } from './messages.conformance.ts';
import { greeting, type Rule, type Rules } from './rule.conformance.ts';
import { maxStreams, streams } from './streams.conformance.ts';
import { usual } from './usual.conformance.ts';

const plain = { 'content-type': 'text/plain' };

async function respond(exchange: Exchange): Promise<void> {
  const { method, path } = exchange;
  if (path === '/held') return;
  if (path.startsWith('/header/')) {
    exchange.respond(200, plain, exchange.header(path.slice('/header/'.length)) ?? '');
    return;
  }
  if (method !== 'POST') {
    exchange.respond(200, plain, greeting);
    return;
  }
  try {
    exchange.respond(200, plain, await exchange.readBody(1 << 20));
  } catch {
    exchange.respond(400, plain, 'no body');
  }
}

async function play({ send, start = opening, expect: outcome }: Rule): Promise<void> {
  const listener = await listen((exchange) => void respond(exchange), { maxConcurrentStreams: maxStreams });
  const socket = await connectRaw(listener, { ALPNProtocols: ['h2'] });
  const client = await RawHttp2Client.handshake(socket, start);
  let waiting: Buffer[] = [];
  for (const step of send) {
    if (Buffer.isBuffer(step)) {
      waiting.push(step);
      continue;
    }
    client.send(...waiting);
    waiting = [];
    await step(client);
  }
  client.send(...waiting);
  await outcome(client);
  expect((await sendHttp2(listener)).body.toString()).toBe(greeting);
}

describe.each<[string, Rules]>([
  ['what usual clients send', usual],
  ['streams', streams],
  ['frames', frames],
  ['messages', messages],
])('%s', (_name, groups) => {
  describe.each(Object.entries(groups))('%s', (_group, rules) => {
    it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (_rule, rule) => play(rule));
  });
});
