import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileRequests } from './hostile-requests.ts';
import { loopBoundMs } from './loop-bound.ts';
import { WatchedServer } from './watched-server.ts';

/**
 * Most of these requests once blocked the event loop for half a second or more. The long test covers the whole table.
 */
const chosen = [
  'JSON: many keys, within bounds',
  'JSON: unknown fields in lists, within bounds',
  'metadata: wrong labels, within bounds',
  'pod: empty containers, within bounds',
  'pod: spread constraints, within bounds',
  'YAML: many keys, within bounds',
  'YAML: one key again and again',
  'YAML: a long chain of merges',
  'YAML: escapes',
  'network policy: exceptions',
  'CBOR: a text in many pieces',
  'protobuf: containers, within bounds',
  'definition: properties, within bounds',
  'definition: rules, within bounds',
  'definition: a usual one of 1.4 MB',
  'definition: list keys, within bounds',
  'definition: alternatives without a structure, within bounds',
  'object: rules that cost a whole budget, within bounds',
  'object: a tree of alternatives, within bounds',
  'object: a pattern of many states, within bounds',
  'object: large defaults of items, within bounds',
  "policy: t.split('').min() == 'a' of letters",
  "policy: sets.contains(t.split(''), t.split('')) of letters",
  'policy: url(t).getQuery().size() > 0 of parameters',
  'strategic patch: many containers',
  'strategic patch: unknown keys, within bounds',
  'json patch: one long path',
  'json patch: insertions at the front of a long list',
  'apply patch: many keys, within bounds',
  'apply patch: unknown fields',
  'selector: many requirements',
  'selector: fields without match',
  'selector: without match',
  'watch: selector without match',
];

const tries = 3;

let server: WatchedServer;
let boundMs: number;
beforeAll(async () => {
  server = await WatchedServer.start({ crowd: 10_000 });
  boundMs = loopBoundMs();
});
afterAll(() => server.stop());

it.each(chosen)('no other request waits long for: %s', async (about) => {
  const request = hostileRequests.find((candidate) => candidate.about === about)!;
  let { response, ms } = await server.held(request);
  expect(response.status, response.text).toBeLessThan(500);
  // The first attempt may be slow because of the compiler or the garbage of other requests.
  for (let attempt = 1; attempt < tries && ms > boundMs; attempt++) ({ response, ms } = await server.held(request));
  expect(ms, response.text.slice(0, 200)).toBeLessThan(boundMs);
});
