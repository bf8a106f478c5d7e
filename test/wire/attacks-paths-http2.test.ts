import { pathAttacks, type RawRequest } from './path-attacks.ts';
import { type RawStream, sendStreams } from './raw-http2.ts';

// The target is sent unchanged in `:path`.
const streamOf = ({ method, target, token, body }: RawRequest): RawStream => ({
  fields: [
    [':method', method],
    [':path', target],
    [':scheme', 'https'],
    [':authority', 'x'],
    ['authorization', `Bearer ${token}`],
    ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
  ],
  ...(body !== undefined && { body }),
});
pathAttacks(async (api, requests) => {
  const outcomes = await sendStreams(api, requests.map(streamOf));
  return outcomes.map(({ end, text }) => (end === 'answer' ? text : end));
});
